// What a refusal must look like.
import assert from 'node:assert/strict';
import grpc from '@grpc/grpc-js';
import { until } from './checks.mjs';

export const code = grpc.status;

/** Fails unless an error is a status of this code with a sentence that helps. */
export function assertRefusal(error, expected, fragment) {
  assert.ok(error, 'it was not refused');
  assert.ok(Number.isInteger(error.code), `no status: ${error.stack ?? error}`);
  const found = `${code[error.code]}: ${error.details}`;
  assert.equal(code[error.code], code[expected], found);
  assert.match(error.details, fragment, found);
  assert.ok(error.details.length > 15 && error.details.length < 700, `no sentence: ${found}`);
  assert.doesNotMatch(error.details, /java\.|\tat |Exception/, `shows its insides: ${found}`);
}

/** Makes a call that must be refused. */
export async function refuses(call, expected, fragment) {
  assertRefusal(await failure(call), expected, fragment);
}

/** As `refuses`, but waits while the gateway says that there were too many bad credentials. */
export async function refusesCredential(call, fragment) {
  let error;
  await until('a refusal other than of too many attempts', async () => {
    error = await failure(call);
    return error?.code !== code.RESOURCE_EXHAUSTED;
  });
  assertRefusal(error, code.UNAUTHENTICATED, fragment);
}

async function failure(call) {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}
