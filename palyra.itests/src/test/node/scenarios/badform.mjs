// Requests of the wrong form, on every rpc: each is refused with a sentence, and nothing changes.
import assert from 'node:assert/strict';
import { id } from '../lib/ids.mjs';
import { run } from '../lib/messages.mjs';
import { badText, encode, field, sendRaw } from '../lib/raw.mjs';
import { code, refuses } from '../lib/refusals.mjs';
import { changed, lastName, make, missing, requests } from '../lib/requests.mjs';

const NO_ULIDS = ['not-a-ulid', '01jd3z0000000000000000000a', '8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'é'];
const UNUSED_FIELD = 4_000;
const EXEMPT = ['GetHealth'];

/** Checks that what `bad` tries leaves everything as it was. */
export async function changesNothing({ checks, everything }, bad) {
  const before = await everything();
  await bad();
  await checks.check('nothing changed', async () => assert.equal(await everything(), before));
}

export async function badForm(stage) {
  const { checks, operator, gateway, settings } = stage;
  checks.group('bad form');
  const table = requests(await run(operator, 'mine'));
  await checks.check('every rpc of the .proto file is given bad input here', () => {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(gateway.service).sort());
  });
  const everything = () => stage.everything();
  await changesNothing({ checks, everything }, async () => {
    for (const [method, { valid, ids = [], needs = [], messages = [] }] of Object.entries(table)) {
      await versions(stage, method, valid, messages);
      for (const path of ids) await noUlid(stage, method, valid, path);
      for (const path of needs) {
        await checks.check(`${method} without ${path}`, () => refuses(
          () => make(operator, method, changed(valid, path, undefined)),
          code.INVALID_ARGUMENT, missing(path)));
      }
      await badBytes(stage, method, valid, settings.maxMessageBytes);
      if (!EXEMPT.includes(method)) await badMetadata(stage, method, valid);
    }
  });
}

async function versions({ checks, operator }, method, valid, messages) {
  for (const path of ['v', ...messages.map((each) => `${each}.v`)]) {
    for (const v of [0, 2, 0xffffffff]) {
      await checks.check(`${method} with ${path} = ${v}`, () => refuses(
        () => make(operator, method, changed(valid, path, v)),
        code.INVALID_ARGUMENT, new RegExp(`\\bv is ${v}\\b.*version 1`)));
    }
  }
}

async function noUlid({ checks, operator }, method, valid, path) {
  for (const text of NO_ULIDS) {
    await checks.check(`${method} with ${path} '${text}'`, () => refuses(
      () => make(operator, method, changed(valid, path, id(text))),
      code.INVALID_ARGUMENT, new RegExp(`${lastName(path)}.*ULID`)));
  }
}

async function badBytes({ checks, operator, gateway }, method, valid, maxMessageBytes) {
  const bytes = encode(gateway, method, valid);
  const text = badText(gateway, method);
  if (text) {
    await checks.check(`${method} with invalid UTF-8`, () => refuses(
      () => sendRaw(operator, method, Buffer.concat([bytes, text])),
      code.INVALID_ARGUMENT, /UTF-8/));
  }
  await checks.check(`${method} with bytes that are no message`, () => refuses(
    () => sendRaw(operator, method, Buffer.from([0x0a, 0x7f, 0x01])),
    code.INVALID_ARGUMENT, /message|protobuf|\.proto/i));
  const padding = field(UNUSED_FIELD, Buffer.alloc(maxMessageBytes));
  await checks.check(`${method} with more than ${maxMessageBytes} bytes`, () => refuses(
    () => sendRaw(operator, method, Buffer.concat([bytes, padding])),
    code.RESOURCE_EXHAUSTED, new RegExp(`${maxMessageBytes}`)));
}

async function badMetadata({ checks, operator }, method, valid) {
  const table = [
    ['x-palyra-device-id', 'not-a-ulid', code.INVALID_ARGUMENT],
    ['x-palyra-channel', 'c'.repeat(65), code.INVALID_ARGUMENT],
    ['x-palyra-principal', 'user:somebody-else', code.PERMISSION_DENIED],
  ];
  for (const [key, value, expected] of table) {
    await checks.check(`${method} with ${key} '${value.slice(0, 20)}'`, () => refuses(
      () => make(operator, method, valid, { extra: { [key]: value } }),
      expected, new RegExp(expected === code.PERMISSION_DENIED ? 'speak' : key)));
  }
}
