// The laboratory: a match from its start to its last number, and what it says of experiments.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { complaints, PHONE, PROGRAM, until } from './harness.mjs';

const numberOf = async (page, name) =>
  Number(
    await page
      .locator('.match-numbers div', { has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .innerText(),
  );

export const scenarios = {
  'a match in the laboratory, watched to its end': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await page.getByRole('link', { name: 'Laboratory' }).click();
    await page.getByRole('combobox', { name: 'Agent A' }).selectOption('random');
    await page.getByRole('combobox', { name: 'Agent B' }).selectOption('Another, by its text');
    await page.getByRole('textbox', { name: /Text of agent B/ }).fill('mcts:threads=4');
    await page.getByRole('spinbutton', { name: 'Games' }).fill('20');
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'threads' }).waitFor(); // and nothing began
    assert.equal(new URL(page.url()).pathname, '/lab');

    await page.getByRole('textbox', { name: /Text of agent B/ }).fill('forward');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/lab\/[0-9a-f]{32}$/);
    await page.getByText('All 20 games are played', { exact: true }).waitFor();
    const [won, drawn, lost] = [
      await numberOf(page, 'A won'),
      await numberOf(page, 'Drawn'),
      await numberOf(page, 'B won'),
    ];
    assert.equal(won + drawn + lost, 20);
    assert.ok(lost > won, `forward checking beats random, not ${won} to ${lost}`);
    assert.match(await page.locator('.match').innerText(), /Elo\s+(at most )?−\d+ ± \d+/);
    const news = page.locator('[role=status][aria-live=polite]');
    assert.match(await news.innerText(), /All 20 games are played\. A won \d+, drawn/);
    assert.ok((await page.locator('.last-board .disc').count()) >= 7);
    assert.match(await page.locator('.last-board').innerText(), /Game \d+: [AB] moved first/);

    await page.reload(); // the address is the match
    await page.getByText('All 20 games are played', { exact: true }).waitFor();
    assert.equal(await numberOf(page, 'B won'), lost);
    assert.deepEqual(await complaints(page), []);
    // The refusal of the first try is what the browser should report.
    assert.deepEqual(
      page.errors.filter((error) => !error.includes('400')),
      [],
    );
    await page.context().close();
  },

  'a long match can be stopped, on a phone': async (site) => {
    const page = await site.visitor({ ...PHONE, colorScheme: 'dark' });
    await page.goto('/lab');
    await page.getByRole('combobox', { name: 'Agent A' }).selectOption('mcts:sims=20000');
    await page.getByRole('combobox', { name: 'Agent B' }).selectOption('mcts:sims=20000');
    await page.getByRole('spinbutton', { name: 'Games' }).fill('200');
    await page.getByRole('button', { name: 'Start', exact: true }).tap();
    await page.getByText(/^\d+ of 200 games played$/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).tap();
    await page.getByText(/^Stopped after \d+ of 200 games$/).waitFor();
    const wanted = 'rowbot experiment run all-agents --scale 0.1 --db FILE'; // none was run
    await page.locator('code').filter({ hasText: wanted }).waitFor();
    assert.deepEqual(await complaints(page), []);
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - 390);
    assert.ok(tooWide <= 0, `${tooWide} pixels too wide`);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'an experiment beside the numbers of its paper': async (site) => {
    const database = path.join(site.folder, 'games.db');
    const run = ['experiment', 'run', 'dublin-4', '--scale', '0.01', '--db', database];
    execFileSync(PROGRAM, run, { stdio: 'ignore', timeout: 120_000 });
    for (const options of [{}, { ...PHONE, colorScheme: 'dark' }]) {
      const page = await site.visitor(options);
      const summary = page.locator('.experiment > summary', { hasText: 'Dublin' });
      await until(async () => {
        await page.goto('/lab');
        await page.locator('.experiment, .laboratory .notice').first().waitFor();
        return (await summary.count()) === 1;
      }, 'the server to look into the database again');
      await summary.click();
      await page.locator('.chart-rows .paper').first().waitFor();
      assert.equal(await page.locator('.chart-rows li').count(), 7);
      assert.equal(await page.locator('.chart-rows .error').count(), 7);
      assert.equal(await page.locator('.matrix td').count(), 49);
      assert.match(await page.locator('.matrix td').first().innerText(), /^\d+ \[60\]$/);
      assert.deepEqual(await complaints(page), []);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= page.viewportSize().width, `${width} pixels wide`);
      assert.deepEqual(page.errors, []);
      await page.context().close();
    }
  },
};
