// Whole games: by mouse, by keyboard, on a phone, through reloads and a server that dies.
import assert from 'node:assert/strict';
import {
  column,
  complaints,
  isOver,
  LATE,
  movesOf,
  PHONE,
  playToTheEnd,
  until,
} from './harness.mjs';

async function chooseLevel(page, title) {
  await page.getByRole('radio', { name: title }).check();
}

export const scenarios = {
  'the first load is small and has no errors': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await column(page, 4).waitFor();
    const bytes = await page.evaluate(() =>
      [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ].reduce((sum, entry) => sum + entry.transferSize, 0),
    );
    assert.ok(bytes > 5_000 && bytes <= 60_000, `first load is ${bytes} bytes`);
    console.log(`    first load: ${bytes} bytes`);
    assert.deepEqual(await complaints(page), []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'a whole game by mouse, begun by dropping the first disc': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await chooseLevel(page, 'First steps');
    await column(page, 4).click({ position: { x: 20, y: 300 } });
    await page.waitForURL(/\/g\/[0-9a-f]{32}$/);
    const news = page.locator('[role=status][aria-live=polite]');
    await until(
      async () => /^You: column 4\. Rowbot: column [1-7]\.$/.test(await news.innerText()),
      'the live region to tell the move and its answer',
    );
    await playToTheEnd(page, (c) => column(page, c).click({ position: { x: 20, y: 300 } }));
    const said = await page.locator('.said').innerText();
    assert.match(said, /^(You win|Rowbot wins|A draw)/);
    if (!said.startsWith('A draw')) assert.ok((await page.locator('.won').count()) >= 4);
    assert.deepEqual(await complaints(page), []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'a whole game by keyboard, as the second player': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await chooseLevel(page, 'First steps');
    await page.getByRole('radio', { name: /Yellow/ }).check();
    await page.getByRole('button', { name: 'Start', exact: true }).press('Enter');
    await until(async () => (await movesOf(page)).length === 1, 'Rowbot to begin');
    await column(page, 4).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await until(async () => (await movesOf(page))[1] === '5', 'arrows and Enter to drop in 5');
    await playToTheEnd(page, (c) => page.keyboard.press(String(c)));
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'a whole game on a phone': async (site) => {
    const page = await site.visitor({ ...PHONE, colorScheme: 'dark' });
    await page.goto('/');
    await chooseLevel(page, 'First steps');
    await playToTheEnd(page, (c) => column(page, c).tap({ position: { x: 20, y: 200 } }));
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(tooWide, 0);
    assert.deepEqual(await complaints(page), []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'undo, hints, scores and thoughts': async (site) => {
    const page = await site.visitor();
    await page.goto(`/p/${LATE}`);
    await page.getByRole('combobox', { name: 'Opponent' }).selectOption('easy');
    await page.getByRole('button', { name: 'You play red' }).click();
    await page.waitForURL(/\/g\//);
    for (const name of ['Hints', 'Scores', 'Thoughts']) {
      await page.getByRole('switch', { name }).click();
    }
    await page.locator('.drawing .best').first().waitFor();
    assert.equal(await page.locator('.score.good').count(), 1);
    assert.equal(await page.locator('.score.bad').count(), 5);
    assert.match(await column(page, 6).getAttribute('aria-label'), /wins in \d+ moves, best move/);
    await page.keyboard.press('6');
    await until(async () => (await movesOf(page)).length === 24, 'the answer');
    await page.locator('.thoughts tbody tr').first().waitFor();
    // Sticky: the hint is there again without asking.
    await page.locator('.drawing .best').first().waitFor();
    assert.deepEqual(await complaints(page), []);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await movesOf(page)) === LATE, 'the move to be taken back');
    await page.getByRole('button', { name: 'One move back' }).click();
    assert.equal(await page.locator('.drop[aria-disabled=false]').count(), 0);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'a game survives a reload and a server killed in the middle': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await chooseLevel(page, 'First steps');
    await page.keyboard.press('4');
    await until(async () => (await movesOf(page)).length === 2, 'the answer');
    const before = await movesOf(page);
    await page.reload();
    await until(async () => (await movesOf(page)) === before, 'the same moves after the reload');

    await site.killServer();
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('3'); // goes out as soon as somebody listens
    await site.startServer();
    await until(
      async () => (await movesOf(page)).length >= 4 || (await isOver(page)),
      'the move to arrive',
    );
    assert.ok((await movesOf(page)).startsWith(`${before}3`));

    await page.goto('/');
    await page.getByRole('link', { name: 'Go on with it' }).click();
    await until(
      async () => (await movesOf(page)).startsWith(`${before}3`),
      'the way back to the game',
    );
    await page.context().close();
  },
};
