// The robot's table: a visitor plays, another waits, and what is shown is what happens.
import assert from 'node:assert/strict';
import { canMove, column, complaints, OPERATOR, PHONE, until } from './harness.mjs';

const FIRST_HUMAN_PIECE = 21;
const said = (page) => page.locator('.said').innerText();
const join = (page) => page.getByRole('button', { name: /Play against the robot|Join the queue/ });

/// Everything the page hears of the table.
function listen(page) {
  const heard = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload));
      if (message.type === 'table') heard.push(message.data);
    }),
  );
  return heard;
}

/// The record as the board beside the scene shows it: columns of discs from the bottom.
const boardOf = (page) =>
  page.locator('[role=gridcell]').evaluateAll((cells) =>
    cells
      .map((cell) => cell.getAttribute('aria-label').replace(', last move', ''))
      .filter((label) => !label.includes('empty'))
      .sort(),
  );

async function open(page) {
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Robot' }).click();
  await page.waitForURL('**/table');
}

async function sitDown(page) {
  await join(page).click();
  await until(() => canMove(page), 'our turn at the table');
}

/// Our discs come down into the board and stay there. A fall is short, and a busy machine may have
/// no frame of it: then the next disc is watched.
async function seeADiscFall(page, heard) {
  const falls = () => {
    const heights = new Map();
    for (const [number, , , height] of heard.flatMap(({ poses }) => poses?.pieces ?? [])) {
      if (number < FIRST_HUMAN_PIECE) continue;
      heights.set(number, [...(heights.get(number) ?? []), height]);
    }
    return [...heights.values()].map((all) => all[0] - all.at(-1));
  };
  for (const next of [4, 3, 5]) {
    if (falls().some((height) => height > 100)) return;
    await until(() => canMove(page), 'our turn again');
    const before = (await boardOf(page)).length;
    await column(page, next).click({ position: { x: 10, y: 150 } });
    await until(async () => (await boardOf(page)).length >= before + 2, 'a move and its answer');
  }
  assert.ok(
    falls().some((height) => height > 100),
    `discs came down by ${falls().join(', ')}`,
  );
}

export const scenarios = {
  'at the robot’s table the arm moves, the disc lands, the board agrees': async (site) => {
    const page = await site.visitor();
    const heard = listen(page);
    await open(page);
    await page.locator('.scene.live canvas').waitFor();
    await sitDown(page);
    const canvas = page.locator('.scene canvas');
    const before = await canvas.screenshot();
    await column(page, 4).click({ position: { x: 10, y: 150 } });
    await until(async () => (await boardOf(page)).length === 2, 'the move and its answer');

    const shown = await boardOf(page);
    assert.ok(shown.includes('Column 4, row 1: red'), shown.join('; '));
    assert.ok(
      shown.some((label) => label.endsWith(': yellow')),
      shown.join('; '),
    );
    assert.ok(!before.equals(await canvas.screenshot()), 'the picture changed');
    // The arm: poses streamed while it served the column.
    const moving = heard.filter(({ table }) => table.state === 'moving');
    const arms = new Set(moving.map(({ poses }) => JSON.stringify(poses.bodies)));
    assert.ok(arms.size >= 8, `${arms.size} poses of the arm`);
    // Board, record and the robot's word are the same.
    const table = await page.evaluate(() => fetch('/api/v1/table').then((a) => a.json()));
    assert.match(table.moves, /^4[1-7]$/);
    assert.ok(shown.some((label) => label.startsWith(`Column ${table.moves[1]}, row`)));
    await page.locator('.eye img.camera').waitFor();
    await seeADiscFall(page, heard);

    assert.deepEqual(await complaints(page), []);
    await page.getByRole('button', { name: 'Leave the table' }).click(); // for the next scenario
    await join(page).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'a second visitor waits, watches and gets the seat; the operator stops and resumes': async (
    site,
  ) => {
    const first = await site.visitor();
    const second = await site.visitor({ ...PHONE, colorScheme: 'dark' });
    await open(first);
    await sitDown(first);
    await open(second);
    await join(second).click();
    await second.getByText('You are next.').waitFor();
    await first.keyboard.press('3');
    await until(
      async () => (await boardOf(second)).includes('Column 3, row 1: red'),
      'the watcher to see the move',
    );
    assert.equal(await second.locator('.drop[aria-disabled=false]').count(), 0);
    await first.getByRole('button', { name: 'Leave the table' }).click();
    await second.getByText('You are at the table.').waitFor();
    await until(() => canMove(second), 'a new game for the next visitor');
    assert.deepEqual(await boardOf(second), []);
    assert.deepEqual(await complaints(second), []);
    const tooWide = await second.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(tooWide, 0);

    await first.getByText('Operator', { exact: true }).click();
    await first.getByLabel('Token').fill('a wrong token, long enough');
    await first.getByRole('button', { name: 'Stop the robot' }).click();
    await first.getByRole('alert').waitFor();
    await first.getByLabel('Token').fill(OPERATOR);
    await first.getByRole('button', { name: 'Stop the robot' }).click();
    await until(async () => /Stopped/.test(await said(second)), 'the stop to be told');
    await first.getByRole('button', { name: 'Resume' }).click();
    await until(() => canMove(second), 'the game to go on');
    await second.reload();
    await until(() => canMove(second), 'the seat to be kept through a reload');
    assert.deepEqual(second.errors, []);
    await first.context().close();
    await second.context().close();
  },

  'without WebGL the table is a still picture': async (site) => {
    const page = await site.visitor();
    await page.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null;
    });
    const fetched = [];
    page.on('request', (request) => fetched.push(request.url()));
    await open(page);
    await page.locator('.scene.still img.camera').waitFor();
    assert.ok(!fetched.some((url) => url.includes('view3d')), 'three.js is not even fetched');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },
};
