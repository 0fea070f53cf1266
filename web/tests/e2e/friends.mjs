// Two people: on one screen with a review afterwards, and by link on two; two agents to watch.
import assert from 'node:assert/strict';
import { complaints, LATE, movesOf, Tunnel, until } from './harness.mjs';

export const scenarios = {
  'two browsers by link': async (site) => {
    const red = await site.visitor();
    const yellow = await site.visitor();
    await red.goto('/');
    await red.getByRole('button', { name: 'A friend by link' }).click();
    const link = await red.getByLabel('Send this link to your friend').inputValue();
    assert.match(link, /\/g\/[0-9a-f]{32}$/);
    assert.notEqual(link, red.url());
    await red.reload();
    assert.equal(await red.getByLabel('Send this link to your friend').inputValue(), link);
    await yellow.goto(new URL(link).pathname);

    const game = '1212121';
    for (let ply = 0; ply < game.length; ++ply) {
      const mover = ply % 2 === 0 ? red : yellow;
      await mover.getByText('Your turn').waitFor();
      await mover.keyboard.press(game[ply]);
      for (const page of [red, yellow]) {
        await until(
          async () => (await movesOf(page)) === game.slice(0, ply + 1),
          `move ${ply + 1} on both screens`,
        );
      }
    }
    assert.equal(await red.locator('.said').innerText(), 'You win: four in a row');
    assert.equal(await yellow.locator('.said').innerText(), 'Your friend wins: four in a row');
    assert.deepEqual(await complaints(yellow), []);
    assert.deepEqual([...red.errors, ...yellow.errors], []);
    await red.context().close();
    await yellow.context().close();
  },

  'a connection that silently dies is noticed, and the game goes on': async (site) => {
    const tunnel = await Tunnel.open(site);
    const red = await site.visitor();
    const yellow = await site.visitor({ baseURL: tunnel.address });
    await red.goto('/');
    await red.getByRole('button', { name: 'A friend by link' }).click();
    const link = await red.getByLabel('Send this link to your friend').inputValue();
    await yellow.goto(new URL(link).pathname);
    await red.keyboard.press('4');
    await yellow.getByText('Your turn').waitFor();

    tunnel.swallows = true;
    const swallowed = Date.now();
    await yellow.getByText('Connection lost').waitFor();
    const seconds = (Date.now() - swallowed) / 1000;
    console.log(`    noticed after ${seconds.toFixed(1)} s`);
    await yellow.keyboard.press('3'); // waits for the way to be free
    tunnel.swallows = false;
    await until(async () => (await movesOf(red)) === '43', 'the move to come through');
    await until(async () => !(await yellow.getByText('Connection lost').count()), 'the link');
    await red.keyboard.press('4');
    await until(async () => (await movesOf(yellow)) === '434', 'news through the new connection');
    await red.context().close();
    await yellow.context().close();
    await tunnel.close();
  },

  'a game of two at one screen, and its review': async (site) => {
    const page = await site.visitor();
    await page.goto(`/p/${LATE}`);
    await page.getByRole('button', { name: 'Two people' }).click();
    await page.waitForURL(/\/g\//);
    await page.getByText('Red to move').waitFor();
    await page.keyboard.press('1'); // and not 6, where yellow threatens
    await page.getByText('Yellow to move').waitFor();
    await page.keyboard.press('6');
    await page.locator('.said', { hasText: 'Yellow wins: four in a row' }).waitFor();
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.waitForURL(/\/review\//);
    await page.locator('.chart canvas').waitFor();
    const summary = await page.locator('.summary').innerText();
    assert.match(
      summary,
      /^Move 23 decided it\. Red: column 1, which loses in 1 move; column 6 wins/,
    );
    assert.match(
      await page.locator('.verdict').innerText(),
      /Best: column 6, which wins in \d+ moves/,
    );
    assert.ok((await page.locator('.drawing .best').count()) > 0);
    assert.ok((await page.locator('.moves .marked').count()) > 0);
    assert.deepEqual(await complaints(page), []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },

  'watching two agents': async (site) => {
    const page = await site.visitor();
    await page.goto('/');
    await page.getByRole('combobox', { name: 'Yellow' }).selectOption('rhodes');
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.waitForURL(/\/g\//);
    await until(async () => (await movesOf(page)).length >= 2, 'two moves');
    assert.equal(await page.locator('.drop[aria-disabled=false]').count(), 0);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  },
};
