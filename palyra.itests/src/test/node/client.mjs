// A client of the gateway in another language. Knows the .proto files and docs/formats.md.
//
// node client.mjs SETTINGS.json: prints one line of JSON for each check and exits with 0 when all
// held. What only the test around it can do, it asks for: a line {"please": "..."} on standard
// output, answered by a line on standard input.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import assert from 'node:assert/strict';
import { Checks, PATIENCE_MILLIS, within } from './lib/checks.mjs';
import { Stage } from './lib/stage.mjs';
import { agents } from './scenarios/agents.mjs';
import { approvals } from './scenarios/approvals.mjs';
import { attaching } from './scenarios/attach.mjs';
import { badForm } from './scenarios/badform.mjs';
import { badValues, foreign } from './scenarios/badvalues.mjs';
import { credentials } from './scenarios/credentials.mjs';
import { health, reflection } from './scenarios/health.mjs';
import { routing } from './scenarios/routing.mjs';
import { runs } from './scenarios/runs.mjs';
import { sessions } from './scenarios/sessions.mjs';
import { streams } from './scenarios/streams.mjs';
import { tape } from './scenarios/tape.mjs';
import { tls } from './scenarios/tls.mjs';
import { vault } from './scenarios/vault.mjs';

const SCENARIOS = [health, reflection, sessions, agents, runs, streams, attaching, tape, approvals,
  vault, routing, badForm, badValues, foreign, credentials];

const settings = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function director(please) {
  process.stdout.write(JSON.stringify({ please }) + '\n');
  const { value } = await within(PATIENCE_MILLIS, `somebody to ${please}`, answers.next());
  assert.equal(value, 'done');
}

const checks = new Checks();
const stage = new Stage(settings, checks, director);
checks.group('setup');
await checks.check('an agent for the scenarios', () => stage.makeAgent());
for (const scenario of settings.tls ? [...SCENARIOS, tls] : SCENARIOS) {
  await checks.play(`the scenario ${scenario.name} was played to its end`, () => scenario(stage));
}
checks.group('coverage');
const every = Object.keys(stage.gateway.service).sort();
await checks.check('every rpc was answered', () =>
  assert.deepEqual(every.filter((method) => !stage.gateway.answered.has(method)), []));
await checks.check('every rpc refused something', () =>
  assert.deepEqual(every.filter((method) => !stage.gateway.refused.has(method)), []));
process.exit(checks.failed === 0 ? 0 : 1);
