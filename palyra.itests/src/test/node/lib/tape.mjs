// Verifies a tape from docs/formats.md alone.
import { createHash } from 'node:crypto';

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

function u64(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

function i64(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(number));
  return bytes;
}

function u32(number) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
}

const u8 = (flag) => Buffer.from([flag ? 1 : 0]);

const lp = (value) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
};

/** Returns the digest that the first record follows. */
export const genesis = (runId, sessionId, principal) =>
  sha256('palyra.tape.genesis.v1', lp(runId), lp(sessionId), lp(principal));

/** Returns what is wrong with a chain, or an empty text. */
export function fault(records, start) {
  let before = start;
  for (const [index, record] of records.entries()) {
    const at = `record ${record.seq}`;
    if (record.seq !== index + 1) return `${at} stands at place ${index + 1}`;
    const commitment = sha256('palyra.payload.v1', record.salt, record.payload);
    if (!record.withheld && !commitment.equals(record.commitment)) return `${at}: commitment`;
    if (!before.equals(record.prev_hash)) return `${at}: prev_hash`;
    const hash = sha256(
      'palyra.tape.v1', lp(record.prev_hash), lp(record.stream_id), u64(record.seq),
      lp(record.type), i64(record.time_unix_ms), u32(record.schema), lp(record.commitment));
    if (!hash.equals(record.hash)) return `${at}: hash`;
    before = record.hash;
  }
  return '';
}

/** Returns the payload of a record. */
export const content = (record) => JSON.parse(record.payload.toString('utf8'));

/** Returns the payloads of a type. */
export const contents = (records, type) =>
  records.filter((record) => record.type === type).map(content);

/** Recomputes the digest of an attestation from the records of its call. */
export function attested(records, attestation) {
  const ofCall = (type) => contents(records, type).find((c) => c.callId === attestation.callId);
  const { inputJson } = ofCall('tool_call_proposal');
  const output = ofCall('tool_call_output');
  return sha256(
    'palyra.tool.attestation.v2', lp(attestation.callId), lp(output.tool), lp(inputJson),
    u8(output.outcome === 'SUCCEEDED'), lp(output.outputJson), lp(output.error),
    u8(output.outcome === 'TIMED_OUT'), lp(attestation.executor),
    lp(attestation.sandboxEnforcement), i64(attestation.executedAtMillis),
    lp(attestation.policySha256), lp(attestation.executableSha256)).toString('hex');
}
