// Calls with bytes of our own instead of messages, for what no honest encoder would send.
import { Client } from './gateway.mjs';

const identity = (bytes) => bytes;
const STRING = 'TYPE_STRING';
const MESSAGE = 'TYPE_MESSAGE';
const BAD_UTF8 = Buffer.from([0x70, 0xc3, 0x28, 0x70]);

/** Sends bytes to a method; rejects with the status when it is refused. */
export async function sendRaw(client, method, bytes) {
  const { path, requestStream, responseStream } = client.gateway.service[method];
  const rest = [client.metadata(), Client.deadline()];
  try {
    if (!requestStream && !responseStream) {
      return await new Promise((resolve, reject) => {
        client.stub.makeUnaryRequest(path, identity, identity, bytes, ...rest, (error, answer) =>
          error ? reject(error) : resolve(answer));
      });
    }
    const call = requestStream
      ? client.stub.makeBidiStreamRequest(path, identity, identity, ...rest)
      : client.stub.makeServerStreamRequest(path, identity, identity, bytes, ...rest);
    if (requestStream) call.write(bytes);
    for await (const answer of call) return answer;
    return undefined;
  } catch (error) {
    client.note(method, error);
    throw error;
  }
}

/** Returns the encoded form of a request. */
export const encode = (gateway, method, request) =>
  Buffer.from(gateway.service[method].requestSerialize(request));

function varint(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

/** Returns a field that holds bytes. */
export const field = (number, bytes) =>
  Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);

/** Finds a message by its name as it stands in a field: whole, or its end. */
function message(gateway, typeName) {
  const name = Object.keys(gateway.definition).find((key) => `.${key}`.endsWith(`.${typeName}`));
  return gateway.definition[name].type;
}

/** Returns the nearest text of a request as a field with invalid UTF-8; undefined when it has none. */
export function badText(gateway, method) {
  let level = [{ type: gateway.service[method].requestType.type, wrap: identity }];
  for (let depth = 0; depth < 4; depth++) {
    const deeper = [];
    for (const { type, wrap } of level) {
      for (const each of type.field ?? []) {
        if (each.type === STRING) return wrap(field(each.number, BAD_UTF8));
        if (each.type === MESSAGE) {
          deeper.push({ type: message(gateway, each.typeName), wrap: (bytes) => wrap(field(each.number, bytes)) });
        }
      }
    }
    level = deeper;
  }
  return undefined;
}
