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
  SIDEWAYS,
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

  'the last move is marked, and told': async (site) => {
    const page = await site.visitor();
    await page.goto('/p/4453');
    await page.locator('.drawing .last').waitFor();
    assert.equal(
      await page.locator('[aria-label="Column 3, row 1: yellow, last move"]').count(),
      1,
    );
    await page.getByRole('button', { name: 'One move back' }).click();
    assert.equal(await page.locator('[aria-label="Column 5, row 1: red, last move"]').count(), 1);
    await page.goto('/p/1212121');
    assert.equal(await page.locator('.drawing .last').count(), 0); // the line says it
    await page.context().close();
  },

  'the board fits a phone held sideways, a tablet, a huge screen and 200 % zoom': async (site) => {
    const found = [];
    const sizes = [SIDEWAYS, { viewport: { width: 667, height: 375 } }];
    for (const [width, height] of [
      [320, 640],
      [561, 800],
      [640, 400],
      [700, 900],
      [765, 1024],
      [2560, 1440],
      [3840, 2160],
    ]) {
      sizes.push({ viewport: { width, height } });
    }
    for (const options of sizes) {
      const { width, height } = options.viewport;
      const page = await site.visitor(options);
      for (const path of ['/', '/lab', '/statistics']) {
        await page.goto(path);
        await page.locator('h1').first().waitFor({ state: 'attached' });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) found.push(`${path} is ${wide - width} too wide at ${width}x${height}`);
      }
      await page.goto('/');
      const board = await page.locator('.board').boundingBox();
      if (board.y + board.height > height + 1) {
        found.push(`the board ends ${board.y + board.height - height} below ${width}x${height}`);
      }
      // A large share of what there is: the empty half screen was a defect.
      const share = Math.max(board.width / width, board.height / height);
      if (share < 0.6) found.push(`the board takes ${share.toFixed(2)} of ${width}x${height}`);
      await page.context().close();
    }
    assert.deepEqual(found, []);
  },

  'by keyboard and ear: the grid, a full column, stepping back, focus, the winning line': async (
    site,
  ) => {
    const page = await site.visitor();
    const heard = page.locator('[role=status][aria-live=polite]');
    const hears = (what) =>
      until(async () => what.test(await heard.innerText()), `the screen reader to say ${what}`);
    await page.goto('/p/444444');
    await page.getByRole('button', { name: 'Two people' }).click();
    await page.waitForURL(/\/g\//);
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    await until(async () => /^Column 4/.test(await focused()), 'the focus to be on the board');

    await page.keyboard.press('4');
    await hears(/^Column 4 is full\.$/);
    const number = await heard.locator('span').evaluate((span) => (span.dataset.seen = '1'));
    assert.equal(number, '1');
    await page.keyboard.press('4'); // and again: a new element, or it would not be read
    await until(
      async () => (await heard.locator('[data-seen]').count()) === 0,
      'it to be repeated',
    );

    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Column 4, row 6: yellow, last move');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(), 'Column 3, row 5: empty');
    assert.equal((await movesOf(page)).length, 6); // arrows drop nothing
    await page.keyboard.press('Enter');
    await until(async () => (await movesOf(page)) === '4444443', 'Enter to drop in column 3');

    await page.getByRole('button', { name: 'One move back' }).press('Enter');
    await hears(/^Move 6: column 4, yellow\.$/);
    await page.getByRole('button', { name: 'To the last move' }).press('Enter');
    assert.equal(await focused(), 'To the last move');

    for (const column of ['1', '3', '1', '3', '1', '3']) {
      const before = (await movesOf(page)).length;
      await page.keyboard.press(column);
      await until(async () => (await movesOf(page)).length > before, `column ${column}`);
    }
    await hears(/wins: four in a row\. The line: from column 3, row 1 to column 3, row 4\.$/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'resign asks first, Back leads to the start, and nothing is lost by a slip': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await chooseLevel(page, 'First steps');
    await page.keyboard.press('4');
    await until(async () => (await movesOf(page)).length === 2, 'the answer');
    for (const name of ['Resign', 'Restart']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'No' }).click();
      assert.equal((await movesOf(page)).length, 2);
    }
    await page.goBack();
    await page.getByRole('link', { name: 'Go on with it' }).click();
    await until(async () => (await movesOf(page)).length === 2, 'the game again');
    await page.getByRole('button', { name: 'Resign', exact: true }).press('Enter');
    await page.keyboard.press('Enter'); // yes
    await page.getByText('Rowbot wins: you resigned', { exact: true }).waitFor();
    await until(
      () => page.evaluate(() => document.activeElement.textContent === 'Play again'),
      'the focus to be where one goes on',
    );
    await page.context().close();
  },

  'a variation does not erase the game, and a wrong link says what is wrong': async (site) => {
    const page = await site.visitor();
    await page.goto('/p/44536');
    await page.getByRole('button', { name: 'One move back' }).click();
    await page.waitForURL('**/p/4453');
    await page.keyboard.press('1');
    await page.waitForURL('**/p/44531');
    await page.getByText('A variation from move 5 on').waitFor();
    await page.getByRole('button', { name: 'Back to the main line' }).click();
    await page.waitForURL('**/p/4453');
    assert.equal(await movesOf(page), '44536');
    await page.locator('body').press('ArrowRight');
    await page.waitForURL('**/p/44536');
    await page.locator('body').press('Home');
    await page.waitForURL('**/p/');

    await page.goto('/p/44444441');
    await page.getByText('Move 7 is not possible: column 4 was full.').waitFor();
    await page.getByRole('link', { name: 'See the 6 moves before it' }).click();
    await page.waitForURL('**/p/444444');
    await page.context().close();
  },

  'from right to left the columns stay where they are': async (site) => {
    const page = await site.visitor();
    await page.goto('/p/');
    await page.evaluate(() => (document.documentElement.dir = 'rtl'));
    const board = await page.locator('.board').boundingBox();
    await page.mouse.click(board.x + board.width / 14, board.y + board.height / 2);
    await page.waitForURL('**/p/1');
    const disc = await page.locator('.drawing .disc').first().boundingBox();
    assert.ok(disc.x < board.x + board.width / 7);
    await page.context().close();
  },
};
