// The real program and a real browser: one of each for all scenarios.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

export const LIMIT_MS = 30_000; // the machine may be busy: wait long, but for conditions only

export const OPERATOR = 'only for the tests of the page';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const PROGRAM = process.env.ROWBOT ?? '../build/release/bin/rowbot';

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function until(condition, what) {
  const end = Date.now() + LIMIT_MS;
  for (;;) {
    if (await condition()) return;
    if (Date.now() > end) throw new Error(`waited ${LIMIT_MS} ms for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export class Site {
  static async open() {
    const site = new Site();
    site.folder = await mkdtemp(path.join(os.tmpdir(), 'rowbot-page-'));
    await writeFile(path.join(site.folder, 'operator'), `${OPERATOR}\n`);
    site.port = await freePort();
    site.address = `http://127.0.0.1:${site.port}`;
    try {
      await site.startServer();
      site.browser = await chromium.launch({
        executablePath: CHROMIUM,
        timeout: LIMIT_MS,
        args: [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--use-angle=swiftshader', // WebGL without a graphics card
          '--enable-unsafe-swiftshader',
          '--disable-quic',
          '--no-first-run',
          '--disable-background-networking',
          '--disable-component-update',
          '--disable-sync',
        ],
      });
    } catch (error) {
      await site.close();
      throw error;
    }
    return site;
  }

  async startServer() {
    const arguments_ = [
      'serve',
      '--host',
      '127.0.0.1',
      '--port',
      String(this.port),
      '--db',
      path.join(this.folder, 'games.db'),
      '--operator-token-file',
      path.join(this.folder, 'operator'),
      '--robot-agent',
      'forward',
      '--table-speed',
      '4',
    ];
    this.server = spawn(PROGRAM, arguments_, { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    let failed = null;
    this.server.stderr.on('data', (data) => (said = (said + data).slice(-4000)));
    this.server.on('error', (error) => (failed = error));
    await until(async () => {
      if (failed) throw failed;
      if (this.ended()) throw new Error(`rowbot serve ended: ${said}`);
      return fetch(`${this.address}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
    }, 'the server to answer');
  }

  ended() {
    return this.server.exitCode !== null || this.server.signalCode !== null;
  }

  /// As abruptly as a power cut.
  async killServer() {
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.kill('SIGKILL');
    await ended;
  }

  async close() {
    await this.browser?.close();
    if (this.server && !this.ended()) await this.killServer();
    await rm(this.folder, { recursive: true, force: true });
  }

  /// After a scenario that failed: its visitors go, or they would keep the robot's seat.
  async sendHome() {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
  }

  /// A fresh visitor. Errors of the page's own are collected in page.errors.
  async visitor(options = {}) {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      baseURL: this.address,
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(LIMIT_MS);
    page.errors = [];
    page.on('pageerror', (error) => page.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') page.errors.push(message.text());
    });
    return page;
  }
}

/// Stands between browser and server, and can swallow everything without closing anything: what a
/// train's tunnel or a proxy that has forgotten a connection looks like.
export class Tunnel {
  static async open(site) {
    const tunnel = new Tunnel();
    tunnel.sockets = new Set();
    tunnel.swallows = false;
    tunnel.server = net.createServer((near) => {
      const far = net.connect(site.port, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ]) {
        tunnel.sockets.add(from);
        from.on('data', (data) => tunnel.swallows || to.write(data));
        from.on('error', () => {});
        from.on('close', () => {
          tunnel.sockets.delete(from);
          if (!tunnel.swallows) to.destroy();
        });
      }
    });
    await new Promise((resolve) => tunnel.server.listen(0, '127.0.0.1', resolve));
    tunnel.address = `http://127.0.0.1:${tunnel.server.address().port}`;
    return tunnel;
  }

  async close() {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const SIDEWAYS = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/// What axe-core has against the page, in a form one can read.
export async function complaints(page) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() =>
    globalThis.axe.run(document, { resultTypes: ['violations'] }),
  );
  return found.violations.map(
    (v) =>
      `${page.url()}: ${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(' | ')}`,
  );
}

/// 22 discs, red to move; red must block in column 6. Late, so that the solver needs no book for it.
export const LATE = '4545764422552641132641';

// The board as a visitor meets it.
export const column = (page, number) => page.locator('.drop').nth(number - 1);
export const movesOf = (page) =>
  page
    .locator('.moves li button')
    .evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('aria-label').match(/column (\d)/)[1]).join(''),
    );
export const isOver = async (page) => (await page.locator('.said.over').count()) > 0;
export const canMove = async (page) =>
  (await page.locator('.drop[aria-disabled=false]').count()) > 0;

/// Plays by `drop(column)` until the game is over, a full column never chosen.
export async function playToTheEnd(page, drop) {
  for (let turn = 0; turn < 42; ++turn) {
    await until(async () => (await isOver(page)) || (await canMove(page)), 'our turn or the end');
    if (await isOver(page)) return;
    const before = (await movesOf(page)).length;
    const open = await page
      .locator('.drop')
      .evaluateAll((all) => all.flatMap((b, i) => (b.ariaDisabled === 'false' ? [i + 1] : [])));
    if (open.length === 0) continue; // it ended in between
    await drop(open[(turn * 3) % open.length]);
    await until(async () => (await movesOf(page)).length > before, 'the move to appear');
  }
  throw new Error('the game does not end');
}
