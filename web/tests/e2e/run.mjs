// Runs every scenario on the real server, or those whose name holds the words given.
//   ROWBOT=path/to/rowbot node tests/e2e/run.mjs [words]
import { scenarios as friends } from './friends.mjs';
import { Site } from './harness.mjs';
import { scenarios as laboratory } from './laboratory.mjs';
import { scenarios as pages } from './pages.mjs';
import { scenarios as play } from './play.mjs';
import { scenarios as table } from './table.mjs';

const words = process.argv.slice(2).join(' ');
const started = Date.now();
const site = await Site.open();
let failures = 0;
try {
  const all = { ...play, ...friends, ...laboratory, ...pages, ...table };
  for (const [name, scenario] of Object.entries(all)) {
    if (!name.includes(words)) continue;
    const begun = Date.now();
    try {
      await scenario(site);
      console.log(`ok      ${name} (${Date.now() - begun} ms)`);
    } catch (error) {
      ++failures;
      console.log(`FAILED  ${name}\n${error.stack}`);
      await site.sendHome();
    }
  }
} finally {
  await site.close();
}
console.log(
  `${failures === 0 ? 'all passed' : `${failures} failed`} in ${Math.round((Date.now() - started) / 1000)} s`,
);
process.exitCode = failures === 0 ? 0 : 1;
