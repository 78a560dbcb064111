/**
 * Palyra skill SDK for AssemblyScript: the skill ABI, version 1, and a small JSON reader and writer.
 *
 * One file, no dependencies. Copy it beside your source. A skill exports a function of type
 * `() -> i32` for each tool; it reads `input()`, does its work and ends with
 * `return succeed(...)` or `return fail(...)`.
 *
 * Nothing here throws. A capability that was not granted, a host that did not answer, a value that
 * is not there: all come back as an `Answer` whose `failed` is true. Only functions that you call
 * end up as imports of your module, so a module never asks for more than it uses.
 */

// ---- the imports, one for one as the ABI names them ----

@external("palyra", "buffer_len")
declare function buffer_len(handle: i32): i32;
@external("palyra", "buffer_read")
declare function buffer_read(handle: i32, offset: i32, ptr: usize, len: i32): i32;
@external("palyra", "buffer_close")
declare function buffer_close(handle: i32): i32;
@external("palyra", "output_write")
declare function output_write(ptr: usize, len: i32): i32;
@external("palyra", "log")
declare function host_log(level: i32, ptr: usize, len: i32): void;
@external("palyra", "now")
declare function host_now(): i64;
@external("palyra", "random")
declare function host_random(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_http_request")
declare function host_capability_http_request(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_secret_open")
declare function host_capability_secret_open(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_secret_value")
declare function host_capability_secret_value(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_storage_get")
declare function host_capability_storage_get(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_storage_put")
declare function host_capability_storage_put(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_storage_delete")
declare function host_capability_storage_delete(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_storage_list")
declare function host_capability_storage_list(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_channel_send")
declare function host_capability_channel_send(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_channel_edit")
declare function host_capability_channel_edit(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_channel_react")
declare function host_capability_channel_react(ptr: usize, len: i32): i32;
@external("palyra", "host_capability_channel_read")
declare function host_capability_channel_read(ptr: usize, len: i32): i32;

// ---- input, output, log, clock, random ----

/** Returns the input of this call. The host has checked it against the tool's input schema. */
export function input(): Json {
  const value = Json.parse(readBuffer(0));
  return value === null ? Json.nothing() : value;
}

/**
 * Returns what the host says about this call: `abi`, `skill`, `version`, `tool`, `call`, `attempt`.
 */
export function context(): Json {
  const value = Json.parse(readBuffer(1));
  return value === null ? Json.nothing() : value;
}

/** Writes the output. End the tool with `return succeed(value)`. */
export function succeed(value: Json): i32 {
  return write(value.toString()) ? 0 : 2;
}

/** Writes an error that the model and the operator get to read. End with `return fail(...)`. */
export function fail(code: string, message: string): i32 {
  const error = Json.object().setText("code", code).setText("message", message);
  write(Json.object().set("error", error).toString());
  return 1;
}

/** Passes on what went wrong with a capability, word for word. */
export function failWith(answer: Answer): i32 {
  write(answer.value.toString());
  return 1;
}

/** Levels of {@link log}. */
export enum Level {
  Debug = 0,
  Info = 1,
  Warn = 2,
  Error = 3,
}

/** Writes a line for the operator; the model never sees it. At most 64 lines of 1 KiB per call. */
export function log(level: Level, text: string): void {
  const bytes = encode(text);
  host_log(level, changetype<usize>(bytes), bytes.byteLength);
}

/** Returns the time in milliseconds since 1970. */
export function now(): i64 {
  return host_now();
}

/** Returns random bytes of cryptographic quality; at most 65,536. */
export function random(count: i32): Uint8Array {
  const bytes = new Uint8Array(count);
  if (host_random(bytes.dataStart, count) != 0) return new Uint8Array(0);
  return bytes;
}

// ---- capabilities ----

/** What a capability answered: a result, or an error as a value. */
export class Answer {
  constructor(public value: Json) {}

  /** Whether it is an error. */
  get failed(): bool {
    return this.value.has("error");
  }

  /**
   * Code of the error: `denied`, `invalid`, `not_found`, `limit`, `unavailable`, `timeout` or
   * `conflict`; empty without an error.
   */
  get code(): string {
    return this.value.get("error").get("code").asText();
  }

  /** Sentence of the error; empty without an error. */
  get message(): string {
    return this.value.get("error").get("message").asText();
  }

  /** The grant that is missing when the code is `denied`. */
  get grant(): string {
    return this.value.get("error").get("grant").asText();
  }

  /** Returns a member of the result. */
  get(key: string): Json {
    return this.value.get(key);
  }
}

/** A request for {@link http}. */
export class HttpRequest {
  /** The request as the ABI wants it; add members that the methods below do not know. */
  readonly json: Json = Json.object();
  private headers: Json = Json.object();
  private secretHeaders: Json = Json.object();

  constructor(method: string, url: string) {
    this.json.setText("method", method).setText("url", url);
  }

  /** Adds a header. */
  header(name: string, value: string): HttpRequest {
    this.headers.setText(name, value);
    this.json.set("headers", this.headers);
    return this;
  }

  /**
   * Has the host put a secret into a header. The secret itself never enters the module.
   *
   * @param handle from {@link openSecret}
   * @param prefix what goes before it, such as `Bearer `
   */
  secretHeader(name: string, handle: i32, prefix: string = ""): HttpRequest {
    const use = Json.object().setInteger("secret", handle);
    if (prefix.length > 0) use.setText("prefix", prefix);
    this.secretHeaders.set(name, use);
    this.json.set("secret_headers", this.secretHeaders);
    return this;
  }

  /** Sets a body of text. */
  body(text: string): HttpRequest {
    this.json.setText("body", text);
    return this;
  }

  /** Sets how long to wait. */
  timeoutMillis(millis: i32): HttpRequest {
    this.json.setInteger("timeout_ms", millis);
    return this;
  }
}

/** Sends a request. The answer has `status`, `headers` and `body` or `body_base64`. */
export function http(request: HttpRequest): Answer {
  const bytes = encode(request.json.toString());
  return answer(host_capability_http_request(changetype<usize>(bytes), bytes.byteLength));
}

/** Opens a secret; the answer has `handle`, for {@link HttpRequest.secretHeader}. */
export function openSecret(scope: string, key: string): Answer {
  const bytes = encode(Json.object().setText("scope", scope).setText("key", key).toString());
  return answer(host_capability_secret_open(changetype<usize>(bytes), bytes.byteLength));
}

/** Reads a secret; the answer has `value`. Only where the manifest asks for the value. */
export function secretValue(handle: i32): Answer {
  const bytes = encode(Json.object().setInteger("handle", handle).toString());
  return answer(host_capability_secret_value(changetype<usize>(bytes), bytes.byteLength));
}

/** Reads a stored value; the answer has `value` or `value_base64`, and `version`. */
export function storageGet(key: string): Answer {
  const bytes = encode(Json.object().setText("key", key).toString());
  return answer(host_capability_storage_get(changetype<usize>(bytes), bytes.byteLength));
}

/**
 * Stores a value; the answer has `version`.
 *
 * @param ifVersion version that must be there now, 0 when nothing may be there, or -1 to store
 *     any version; a difference is the error `conflict`
 */
export function storagePut(key: string, value: string, ifVersion: i64 = -1): Answer {
  const request = Json.object().setText("key", key).setText("value", value);
  if (ifVersion >= 0) request.setInteger("if_version", ifVersion);
  const bytes = encode(request.toString());
  return answer(host_capability_storage_put(changetype<usize>(bytes), bytes.byteLength));
}

/** Removes a stored value; the answer has `deleted`: whether there was one. */
export function storageDelete(key: string): Answer {
  const bytes = encode(Json.object().setText("key", key).toString());
  return answer(host_capability_storage_delete(changetype<usize>(bytes), bytes.byteLength));
}

/** Lists keys; the answer has `keys` (each `key`, `bytes`, `version`) and `more`. */
export function storageList(prefix: string, after: string = "", limit: i32 = 0): Answer {
  const request = Json.object().setText("prefix", prefix);
  if (after.length > 0) request.setText("after", after);
  if (limit > 0) request.setInteger("limit", limit);
  const bytes = encode(request.toString());
  return answer(host_capability_storage_list(changetype<usize>(bytes), bytes.byteLength));
}

/**
 * Sends a message; the answer has `outbox_id`. It is durable when this returns.
 *
 * @param dedupe a key that makes a repeated send of this call one message; may be empty
 */
export function sendToChannel(channel: string, text: string, dedupe: string = ""): Answer {
  const request = Json.object().setText("channel", channel).setText("text", text);
  if (dedupe.length > 0) request.setText("dedupe", dedupe);
  const bytes = encode(request.toString());
  return answer(host_capability_channel_send(changetype<usize>(bytes), bytes.byteLength));
}

/** Changes a message that this skill sent; the answer has `outbox_id`, of the change. */
export function editInChannel(outboxId: string, text: string, dedupe: string = ""): Answer {
  const request = Json.object().setText("outbox_id", outboxId).setText("text", text);
  if (dedupe.length > 0) request.setText("dedupe", dedupe);
  const bytes = encode(request.toString());
  return answer(host_capability_channel_edit(changetype<usize>(bytes), bytes.byteLength));
}

/**
 * Reacts to a message; the answer has `outbox_id`.
 *
 * @param message the platform's id, as {@link readChannel} gives it; empty for the one that the run
 *     answers
 */
export function reactInChannel(channel: string, reaction: string, message: string = ""): Answer {
  const request = Json.object().setText("channel", channel).setText("reaction", reaction);
  if (message.length > 0) request.setText("message", message);
  const bytes = encode(request.toString());
  return answer(host_capability_channel_react(changetype<usize>(bytes), bytes.byteLength));
}

/**
 * Reads the last messages of a conversation; the answer has `messages`, oldest first, and `more`.
 *
 * @param conversation empty for the one in which the run was asked for
 * @param limit most messages; 0 for as many as usual
 */
export function readChannel(channel: string, conversation: string = "", limit: i32 = 0): Answer {
  const request = Json.object().setText("channel", channel);
  if (conversation.length > 0) request.setText("conversation", conversation);
  if (limit > 0) request.setInteger("limit", limit);
  const bytes = encode(request.toString());
  return answer(host_capability_channel_read(changetype<usize>(bytes), bytes.byteLength));
}

function answer(handle: i32): Answer {
  const value = Json.parse(readBuffer(handle));
  buffer_close(handle);
  if (value !== null && value.kind == Kind.Object) return new Answer(value);
  const error = Json.object()
    .setText("code", "invalid")
    .setText("message", "the host answered something that is not a JSON object");
  return new Answer(Json.object().set("error", error));
}

function readBuffer(handle: i32): string {
  const length = buffer_len(handle);
  if (length <= 0) return "";
  const bytes = new ArrayBuffer(length);
  let done = 0;
  while (done < length) {
    const copied = buffer_read(handle, done, changetype<usize>(bytes) + done, length - done);
    if (copied <= 0) break;
    done += copied;
  }
  return String.UTF8.decodeUnsafe(changetype<usize>(bytes), done);
}

function encode(text: string): ArrayBuffer {
  return String.UTF8.encode(text, false, String.UTF8.ErrorMode.REPLACE);
}

function write(text: string): bool {
  const bytes = encode(text);
  return output_write(changetype<usize>(bytes), bytes.byteLength) == 0;
}

// ---- JSON ----

/** Kinds of JSON values. `Missing` is what {@link Json.get} returns for a key that is not there. */
export enum Kind {
  Missing,
  Null,
  False,
  True,
  Number,
  Text,
  List,
  Object,
}

/** Most levels of nesting that {@link Json.parse} reads. */
const MAX_DEPTH: i32 = 64;

/** A JSON value. Numbers keep their digits as written. */
export class Json {
  private constructor(
    readonly kind: Kind,
    private raw: string,
    private items: Json[],
    private names: string[],
  ) {}

  /** Returns the value of a text, or null when it is not strict JSON. */
  static parse(text: string): Json | null {
    const reader = new Reader(text);
    const value = reader.value(0);
    if (value === null) return null;
    reader.blanks();
    return reader.position == text.length ? value : null;
  }

  static missing(): Json {
    return new Json(Kind.Missing, "", [], []);
  }

  static nothing(): Json {
    return new Json(Kind.Null, "", [], []);
  }

  static bool(value: bool): Json {
    return new Json(value ? Kind.True : Kind.False, "", [], []);
  }

  static integer(value: i64): Json {
    return new Json(Kind.Number, value.toString(), [], []);
  }

  /** A number; null when it is not finite. */
  static number(value: f64): Json {
    if (!isFinite(value)) return Json.nothing();
    if (value == Math.trunc(value) && Math.abs(value) < 9007199254740992.0) {
      return Json.integer(value as i64);
    }
    return new Json(Kind.Number, value.toString(), [], []);
  }

  static text(value: string): Json {
    return new Json(Kind.Text, value, [], []);
  }

  static list(): Json {
    return new Json(Kind.List, "", [], []);
  }

  static object(): Json {
    return new Json(Kind.Object, "", [], []);
  }

  /** @internal */
  static digits(text: string): Json {
    return new Json(Kind.Number, text, [], []);
  }

  /** Sets a member; one of that name is replaced. */
  set(name: string, value: Json): Json {
    const index = this.names.indexOf(name);
    if (index >= 0) {
      this.items[index] = value;
    } else {
      this.names.push(name);
      this.items.push(value);
    }
    return this;
  }

  setText(name: string, value: string): Json {
    return this.set(name, Json.text(value));
  }

  setInteger(name: string, value: i64): Json {
    return this.set(name, Json.integer(value));
  }

  setBool(name: string, value: bool): Json {
    return this.set(name, Json.bool(value));
  }

  /** Adds to a list. */
  push(value: Json): Json {
    this.items.push(value);
    return this;
  }

  /** Returns a member, or a value of kind `Missing`. */
  get(name: string): Json {
    const index = this.names.indexOf(name);
    return index < 0 ? Json.missing() : this.items[index];
  }

  /** Whether there is a member of that name. */
  has(name: string): bool {
    return this.names.includes(name);
  }

  /** Returns an element of a list, or a value of kind `Missing`. */
  at(index: i32): Json {
    return index >= 0 && index < this.items.length ? this.items[index] : Json.missing();
  }

  /** Number of members or elements. */
  get size(): i32 {
    return this.items.length;
  }

  /** Names of the members, in order. */
  keys(): string[] {
    return this.names.slice(0);
  }

  /** Returns the text, or the fallback when this is not a text. */
  asText(fallback: string = ""): string {
    return this.kind == Kind.Text ? this.raw : fallback;
  }

  /** Returns the number, or the fallback when this is not a number. */
  asNumber(fallback: f64 = 0): f64 {
    return this.kind == Kind.Number ? parseFloat(this.raw) : fallback;
  }

  /** Returns the whole number, or the fallback when this is not one within 64 bits' safe range. */
  asInteger(fallback: i64 = 0): i64 {
    if (this.kind != Kind.Number) return fallback;
    const value = parseFloat(this.raw);
    if (value != Math.trunc(value) || Math.abs(value) > 9007199254740991.0) return fallback;
    return value as i64;
  }

  /** Returns the truth value, or the fallback when this is neither true nor false. */
  asBool(fallback: bool = false): bool {
    if (this.kind == Kind.True) return true;
    return this.kind == Kind.False ? false : fallback;
  }

  /** Returns it as JSON text. */
  toString(): string {
    const parts: string[] = [];
    this.writeTo(parts);
    return parts.join("");
  }

  private writeTo(parts: string[]): void {
    switch (this.kind) {
      case Kind.False:
        parts.push("false");
        break;
      case Kind.True:
        parts.push("true");
        break;
      case Kind.Number:
        parts.push(this.raw);
        break;
      case Kind.Text:
        quote(this.raw, parts);
        break;
      case Kind.List:
        this.writeItems(parts, "[", "]");
        break;
      case Kind.Object:
        this.writeItems(parts, "{", "}");
        break;
      default:
        parts.push("null");
    }
  }

  private writeItems(parts: string[], open: string, close: string): void {
    parts.push(open);
    for (let i = 0; i < this.items.length; i++) {
      if (i > 0) parts.push(",");
      if (this.kind == Kind.Object) {
        quote(this.names[i], parts);
        parts.push(":");
      }
      this.items[i].writeTo(parts);
    }
    parts.push(close);
  }
}

/** Writes a text between quotation marks, in stretches of what needs no escape. */
function quote(text: string, parts: string[]): void {
  parts.push('"');
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x20 && unit != 0x22 && unit != 0x5c) continue;
    if (i > from) parts.push(text.substring(from, i));
    parts.push(escape(unit));
    from = i + 1;
  }
  parts.push(from == 0 ? text : text.substring(from));
  parts.push('"');
}

function escape(unit: i32): string {
  if (unit == 0x22) return '\\"';
  if (unit == 0x5c) return "\\\\";
  if (unit == 0x0a) return "\\n";
  if (unit == 0x0d) return "\\r";
  if (unit == 0x09) return "\\t";
  const hex = "0123456789abcdef";
  return "\\u00" + hex.charAt(unit >> 4) + hex.charAt(unit & 15);
}

/** Reads strict JSON (RFC 8259) from a text. Every method returns null or false on an error. */
class Reader {
  position: i32 = 0;

  constructor(private source: string) {}

  value(depth: i32): Json | null {
    this.blanks();
    const unit = this.peek();
    if (unit == 0x7b) return depth < MAX_DEPTH ? this.object(depth) : null;
    if (unit == 0x5b) return depth < MAX_DEPTH ? this.list(depth) : null;
    if (unit == 0x22) {
      const text = this.text();
      return text === null ? null : Json.text(text);
    }
    if (this.word("true")) return Json.bool(true);
    if (this.word("false")) return Json.bool(false);
    if (this.word("null")) return Json.nothing();
    return this.number();
  }

  blanks(): void {
    while (true) {
      const unit = this.peek();
      if (unit != 0x20 && unit != 0x09 && unit != 0x0a && unit != 0x0d) return;
      this.position++;
    }
  }

  private peek(): i32 {
    return this.position < this.source.length ? this.source.charCodeAt(this.position) : -1;
  }

  private take(unit: i32): bool {
    if (this.peek() != unit) return false;
    this.position++;
    return true;
  }

  private word(word: string): bool {
    if (!this.source.startsWith(word, this.position)) return false;
    this.position += word.length;
    return true;
  }

  private object(depth: i32): Json | null {
    const made = Json.object();
    this.position++;
    this.blanks();
    if (this.take(0x7d)) return made;
    while (true) {
      this.blanks();
      const name = this.text();
      if (name === null) return null;
      this.blanks();
      if (!this.take(0x3a)) return null;
      const value = this.value(depth + 1);
      if (value === null) return null;
      made.set(name, value);
      this.blanks();
      if (this.take(0x7d)) return made;
      if (!this.take(0x2c)) return null;
    }
  }

  private list(depth: i32): Json | null {
    const made = Json.list();
    this.position++;
    this.blanks();
    if (this.take(0x5d)) return made;
    while (true) {
      const value = this.value(depth + 1);
      if (value === null) return null;
      made.push(value);
      this.blanks();
      if (this.take(0x5d)) return made;
      if (!this.take(0x2c)) return null;
    }
  }

  private text(): string | null {
    if (!this.take(0x22)) return null;
    const parts: string[] = [];
    let from = this.position;
    while (true) {
      const unit = this.peek();
      if (unit < 0x20) return null; // also the end
      if (unit != 0x22 && unit != 0x5c) {
        this.position++;
        continue;
      }
      parts.push(this.source.substring(from, this.position++));
      if (unit == 0x22) return parts.join("");
      const escaped = this.escaped();
      if (escaped < 0) return null;
      parts.push(String.fromCharCode(escaped));
      from = this.position;
    }
  }

  /** Reads what follows a backslash; returns a UTF-16 unit or -1. */
  private escaped(): i32 {
    const unit = this.peek();
    this.position++;
    switch (unit) {
      case 0x22:
      case 0x5c:
      case 0x2f:
        return unit;
      case 0x62:
        return 0x08;
      case 0x66:
        return 0x0c;
      case 0x6e:
        return 0x0a;
      case 0x72:
        return 0x0d;
      case 0x74:
        return 0x09;
      case 0x75:
        return this.hex();
      default:
        return -1;
    }
  }

  private hex(): i32 {
    let value = 0;
    for (let i = 0; i < 4; i++) {
      const unit = this.peek();
      let digit = -1;
      if (unit >= 0x30 && unit <= 0x39) digit = unit - 0x30;
      else if (unit >= 0x41 && unit <= 0x46) digit = unit - 0x37;
      else if (unit >= 0x61 && unit <= 0x66) digit = unit - 0x57;
      if (digit < 0) return -1;
      value = (value << 4) | digit;
      this.position++;
    }
    return value;
  }

  private number(): Json | null {
    const from = this.position;
    this.take(0x2d);
    if (!this.take(0x30) && !this.digits()) return null;
    if (this.take(0x2e) && !this.digits()) return null;
    if (this.take(0x65) || this.take(0x45)) {
      if (!this.take(0x2b)) this.take(0x2d);
      if (!this.digits()) return null;
    }
    return Json.digits(this.source.substring(from, this.position));
  }

  private digits(): bool {
    const from = this.position;
    while (this.peek() >= 0x30 && this.peek() <= 0x39) this.position++;
    return this.position > from;
  }
}
