// The other pages: survey to statistics, positions, and that nothing is wrong on any of them.
import assert from 'node:assert/strict';
import { column, complaints, LATE, movesOf, PHONE, until } from './harness.mjs';

const answersOn = async (page) => {
  await page.goto('/statistics');
  const text = await page.getByText(/answers? to the/).innerText();
  return Number(text.replace(/[^\d ].*$/, '').trim());
};

export const scenarios = {
  'the survey arrives in the statistics': async (site) => {
    const page = await site.visitor();
    const before = await answersOn(page);
    await page.goto('/survey');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').waitFor(); // both questions first
    await page.locator('input[name=feel]').last().check();
    await page.locator('input[name=age]').nth(1).check();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your answers are counted').waitFor();
    assert.equal(await answersOn(page), before + 1);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'a shared position can be edited and played on': async (site) => {
    const page = await site.visitor();
    await page.goto(`/p/${LATE}`);
    await page.getByText(/to move\. /).waitFor(); // with its exact value
    assert.equal(await movesOf(page), LATE);
    await column(page, 1).click({ position: { x: 20, y: 300 } });
    await page.waitForURL(`**/p/${LATE}1`);
    await page.getByRole('radio', { name: 'adds red' }).check();
    await column(page, 7).click({ position: { x: 20, y: 300 } });
    await page.getByText(/add one more yellow disc/).waitFor();
    await page.getByRole('radio', { name: 'adds yellow' }).check();
    await column(page, 7).click({ position: { x: 20, y: 300 } });
    await until(async () => (await movesOf(page)).length === 25, 'an order of the 25 moves');
    await page.getByRole('button', { name: 'You play red' }).click();
    await page.waitForURL(/\/g\//);
    await until(async () => (await movesOf(page)).length === 26, "Rowbot's move from there");
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'axe-core finds nothing, light and dark, and nothing is wider than a phone': async (site) => {
    const found = [];
    for (const options of [{}, { ...PHONE, colorScheme: 'dark' }]) {
      const page = await site.visitor(options);
      const paths = ['/', `/p/${LATE}`, '/lab', '/statistics', '/survey', '/about', '/nowhere'];
      for (const path of paths) {
        await page.goto(path);
        await page.locator('h1').first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        found.push(...(await complaints(page)));
        // Not innerWidth: a phone widens its window for a page that is too wide.
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        const tooWide = width - page.viewportSize().width;
        if (tooWide > 0) found.push(`${path}: ${tooWide} pixels too wide`);
      }
      // That /nowhere is not found is what the browser should report.
      found.push(...page.errors.filter((error) => !error.includes('404')));
      await page.context().close();
    }
    assert.deepEqual(found, []);
  },
};
