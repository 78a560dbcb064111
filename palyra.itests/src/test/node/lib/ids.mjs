// ULIDs, as the gateway's ids are written.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a new ULID. */
export function newUlid() {
  let time = '';
  for (let millis = Date.now(), i = 0; i < 10; i++) {
    time = ALPHABET[millis % 32] + time;
    millis = Math.floor(millis / 32);
  }
  return time + Array.from(randomBytes(16), (byte) => ALPHABET[byte % 32]).join('');
}

/** Returns the message that carries an id. */
export const id = (ulid) => ({ ulid });
