#!/usr/bin/env node
// Runs a skill's module on Node's own WebAssembly, with made-up host functions: a quick look at a
// module while you write it, without a gateway, a signature or an installation. It checks nothing
// that matters for safety: `palyra skills run` does that. Needs Node 20 or later, nothing else.
//
//   node harness.mjs modules/mine.wasm --input '{"text":"hi"}'
//
//   --entry NAME        exported function to call (palyra_call)
//   --input JSON|@FILE  input of the call ({})
//   --tool NAME         tool's name in the context (test.tool)
//   --http FILE         JSON {"GET https://host/path": {"status":200,"headers":{},"body":"…"}, …};
//                       requests that are not in it answer `unavailable`
//   --secret KEY=VALUE  a secret of scope `skill`; more than once for more
//   --values            secret_value is allowed
//   --storage FILE      where stored values are kept between runs (in memory otherwise)
//   --prefix PREFIX     storage is granted below this prefix (everything otherwise)
//   --deny NAME         answer `denied` for a kind: http, secret, storage or channel
//   --imports           only print the module's imports and exports
//
// Prints the output, then to stderr the log, channel messages and figures. Exit code: 0 success,
// 1 the tool failed, 2 trapped or not runnable.
import { readFileSync, writeFileSync, existsSync } from "node:fs";
import { webcrypto } from "node:crypto";
import { argv, exit, stderr, stdout } from "node:process";
import { performance } from "node:perf_hooks";

const OPEN_BUFFERS = 64;
const BUFFER_BYTES = 8 << 20;
const OUTPUT_BYTES = 1 << 20;
const LOG_LINES = 64;
const LOG_BYTES = 1024;
const FIRST_SECRET = 20000;

const options = parse(argv.slice(2));
const module = new WebAssembly.Module(readFileSync(options.module));
if (options.imports) {
  for (const one of WebAssembly.Module.imports(module)) console.log(`import ${one.module}.${one.name} ${one.kind}`);
  for (const one of WebAssembly.Module.exports(module)) console.log(`export ${one.name} ${one.kind}`);
  exit(0);
}

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true });
const context = {
  abi: 1, skill: "test.skill", version: "0.0.0", tool: options.tool, call: "call-1", attempt: 1,
};
const buffers = new Map([[0, encoder.encode(options.input)], [1, encoder.encode(JSON.stringify(context))]]);
const storage = options.storage && existsSync(options.storage)
  ? JSON.parse(readFileSync(options.storage, "utf8")) : {};
const opened = new Set();
const output = [];
const logged = [];
const sent = [];
let outputBytes = 0;
let nextHandle = 2;
let hostCalls = 0;
let inputRead = 0;
let memory;

class Ended extends Error {
  constructor(code) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

const bytes = (ptr, len) => new Uint8Array(memory.buffer, ptr >>> 0, len >>> 0);
const text = (ptr, len) => strict.decode(bytes(ptr, len));
const view = () => new DataView(memory.buffer);

function open(value) {
  const content = encoder.encode(JSON.stringify(value));
  const held = [...buffers.entries()].filter(([h]) => h >= 2);
  const total = held.reduce((sum, [, b]) => sum + b.length, content.length);
  const handle = nextHandle++;
  const tooMuch = held.length >= OPEN_BUFFERS || total > BUFFER_BYTES;
  buffers.set(handle, tooMuch ? encoder.encode(JSON.stringify(error("limit", "too many or too large buffers are open"))) : content);
  return handle;
}

function error(code, message, grant) {
  return { error: grant ? { code, message, grant } : { code, message } };
}

function append(chunk) {
  if (outputBytes + chunk.length > OUTPUT_BYTES) return -1;
  output.push(chunk);
  outputBytes += chunk.length;
  return 0;
}

function note(level, line) {
  if (logged.length < LOG_LINES) logged.push(`${["debug", "info", "warn", "error"][level] ?? level}: ${line.slice(0, LOG_BYTES)}`);
}

/** Wraps a capability: strict JSON in, a buffer with JSON out. */
function capability(kind, answer) {
  return (ptr, len) => {
    hostCalls++;
    let request;
    try {
      request = JSON.parse(text(ptr, len));
    } catch (e) {
      return open(error("invalid", `the request is not JSON: ${e.message}`));
    }
    if (options.deny.includes(kind)) return open(error("denied", `${kind} is not granted`, `capabilities.${kind}`));
    return open(answer(request));
  };
}

function http(request) {
  const headers = { ...request.headers };
  for (const [name, use] of Object.entries(request.secret_headers ?? {})) {
    const secret = opened.has(use.secret) && options.secrets[use.secret - FIRST_SECRET];
    if (!secret) return error("invalid", `${use.secret} is not the handle of an open secret`);
    headers[name] = `${use.prefix ?? ""}${secret.value}`;
  }
  const key = `${request.method ?? "GET"} ${request.url}`;
  const found = options.http[key];
  if (!found) return error("unavailable", `no answer is prepared for ${key}`);
  if (found.error) return found;
  for (const [name, value] of Object.entries(found.expect_headers ?? {})) {
    if (headers[name] !== value) return { status: 401, headers: {}, body: `header ${name} is not as expected` };
  }
  return { status: found.status ?? 200, headers: found.headers ?? {}, body: found.body ?? "" };
}

function secretOpen(request) {
  const index = options.secrets.findIndex((s) => s.key === request.key);
  if (index < 0) return error("denied", `secret ${request.key} is not granted`, "capabilities.secrets");
  opened.add(FIRST_SECRET + index);
  return { handle: FIRST_SECRET + index };
}

function secretValue(request) {
  const secret = opened.has(request.handle) && options.secrets[request.handle - FIRST_SECRET];
  if (!secret) return error("invalid", "not the handle of an open secret");
  return options.values ? { value: secret.value } : error("denied", "the value was not granted", "capabilities.secrets value = true");
}

function withKey(request, answer) {
  if (typeof request.key !== "string" || request.key === "") return error("invalid", "key is missing");
  if (!request.key.startsWith(options.prefix)) return error("denied", `key ${request.key} is outside of the granted prefixes`, "capabilities.storage");
  return answer(request.key, storage[request.key]);
}

const get = (request) => withKey(request, (key, found) => found
  ? { ...found } : error("not_found", `nothing is stored under ${key}`));

const put = (request) => withKey(request, (key, found) => {
  const version = found?.version ?? 0;
  if (request.if_version !== undefined && request.if_version !== version) return error("conflict", `version is ${version}, not ${request.if_version}`);
  storage[key] = request.value_base64 === undefined
    ? { value: String(request.value), version: version + 1 }
    : { value_base64: request.value_base64, version: version + 1 };
  return { version: version + 1 };
});

const remove = (request) => withKey(request, (key, found) => {
  delete storage[key];
  return { deleted: found !== undefined };
});

function list(request) {
  const limit = request.limit ?? 100;
  const found = Object.keys(storage).sort()
    .filter((key) => key.startsWith(request.prefix ?? "") && key > (request.after ?? ""));
  const keys = found.slice(0, limit).map((key) => ({
    key, bytes: (storage[key].value ?? storage[key].value_base64).length, version: storage[key].version,
  }));
  return { keys, more: found.length > limit };
}

function send(request) {
  if (!request.channel || typeof request.text !== "string") return error("invalid", "channel or text is missing");
  sent.push(`${request.channel}: ${request.text}`);
  return { outbox_id: `outbox-${sent.length}` };
}

function edit(request) {
  const index = Number(/^outbox-(\d+)$/.exec(request.outbox_id)?.[1] ?? 0);
  if (index < 1 || index > sent.length) return error("not_found", `nothing was sent as ${request.outbox_id}`);
  sent.push(`${request.outbox_id} becomes: ${request.text}`);
  return { outbox_id: `outbox-${sent.length}` };
}

function react(request) {
  if (!request.channel || !request.reaction) return error("invalid", "channel or reaction is missing");
  sent.push(`${request.channel}: reacts with ${request.reaction} to ${request.message ?? "the asked message"}`);
  return { outbox_id: `outbox-${sent.length}` };
}

function read(request) {
  if (!request.channel) return error("invalid", "channel is missing");
  const messages = sent.map((text, at) => ({ outbox_id: `outbox-${at + 1}`, time: 1764262000000 + at, text }));
  const limit = request.limit ?? 20;
  return { messages: messages.slice(-limit), more: messages.length > limit };
}

const palyra = {
  buffer_len: (handle) => buffers.get(handle)?.length ?? -1,
  buffer_read: (handle, offset, ptr, len) => {
    const from = buffers.get(handle);
    if (!from) return -1;
    const part = from.subarray(offset, Math.min(from.length, offset + len));
    bytes(ptr, part.length).set(part);
    return part.length;
  },
  buffer_close: (handle) => (handle >= 2 && buffers.delete(handle) ? 0 : -1),
  output_write: (ptr, len) => append(bytes(ptr, len).slice()),
  log: (level, ptr, len) => note(level, text(ptr, len)),
  now: () => BigInt(Date.now()),
  random: (ptr, len) => {
    if (len > 65536) return -1;
    webcrypto.getRandomValues(bytes(ptr, len));
    return 0;
  },
  host_capability_http_request: capability("http", http),
  host_capability_secret_open: capability("secret", secretOpen),
  host_capability_secret_value: capability("secret", secretValue),
  host_capability_storage_get: capability("storage", get),
  host_capability_storage_put: capability("storage", put),
  host_capability_storage_delete: capability("storage", remove),
  host_capability_storage_list: capability("storage", list),
  host_capability_channel_send: capability("channel", send),
  host_capability_channel_edit: capability("channel", edit),
  host_capability_channel_react: capability("channel", react),
  host_capability_channel_read: capability("channel", read),
};

const EBADF = 8, ENOSYS = 52, ESPIPE = 70;
const command = WebAssembly.Module.exports(module).some((e) => e.name === "_start");

/** Calls `each` with every buffer of a WASI vector until it returns false. */
function vector(ptr, count, each) {
  for (let i = 0; i < count; i++) {
    if (!each(view().getUint32(ptr + 8 * i, true), view().getUint32(ptr + 8 * i + 4, true))) return;
  }
}

const wasi = {
  fd_write: (fd, ptr, count, written) => {
    if (fd !== 1 && fd !== 2) return EBADF;
    let total = 0;
    vector(ptr, count, (at, len) => {
      if (command && fd === 1) append(bytes(at, len).slice());
      else note(fd === 1 ? 1 : 2, new TextDecoder().decode(bytes(at, len)).trimEnd());
      total += len;
      return true;
    });
    view().setUint32(written, total, true);
    return 0;
  },
  fd_read: (fd, ptr, count, read) => {
    if (fd !== 0) return EBADF;
    let total = 0;
    vector(ptr, count, (at, len) => {
      const part = buffers.get(0).subarray(inputRead, inputRead + len);
      bytes(at, part.length).set(part);
      inputRead += part.length;
      total += part.length;
      return part.length === len;
    });
    view().setUint32(read, total, true);
    return 0;
  },
  fd_close: (fd) => (fd <= 2 ? 0 : EBADF),
  fd_seek: () => ESPIPE,
  fd_fdstat_get: (fd, ptr) => {
    if (fd > 2) return EBADF;
    bytes(ptr, 24).fill(0);
    view().setUint8(ptr, 2); // character device
    view().setBigUint64(ptr + 8, fd === 0 ? 2n : 64n, true); // fd_read, fd_write
    return 0;
  },
  fd_prestat_get: () => EBADF,
  fd_prestat_dir_name: () => EBADF,
  proc_exit: (code) => {
    throw new Ended(code);
  },
  environ_get: () => 0,
  environ_sizes_get: (count, size) => none(count, size),
  args_get: () => 0,
  args_sizes_get: (count, size) => none(count, size),
  clock_time_get: (id, precision, ptr) => {
    view().setBigUint64(ptr, BigInt(Date.now()) * 1000000n, true);
    return 0;
  },
  clock_res_get: (id, ptr) => {
    view().setBigUint64(ptr, 1000000n, true);
    return 0;
  },
  random_get: (ptr, len) => {
    webcrypto.getRandomValues(bytes(ptr, len));
    return 0;
  },
  sched_yield: () => 0,
  poll_oneoff: () => ENOSYS,
};

function none(count, size) {
  view().setUint32(count, 0, true);
  view().setUint32(size, 0, true);
  return 0;
}

function abort(message, file, line, column) {
  const utf16 = (ptr) => {
    if (!ptr) return "";
    const length = view().getUint32(ptr - 4, true);
    return new TextDecoder("utf-16le").decode(bytes(ptr, length));
  };
  throw new Error(`abort: ${utf16(message)} at ${utf16(file)}:${line}:${column}`);
}

function run() {
  const instance = new WebAssembly.Instance(module, { palyra, wasi_snapshot_preview1: wasi, env: { abort } });
  memory = instance.exports.memory;
  const entry = instance.exports[options.entry ?? (command ? "_start" : "palyra_call")];
  if (!(memory instanceof WebAssembly.Memory)) throw new Error("the module does not export `memory`");
  if (typeof entry !== "function") throw new Error(`the module does not export the function ${options.entry ?? "palyra_call"}`);
  if (command) return asCommand(entry);
  instance.exports._initialize?.();
  return entry();
}

function asCommand(entry) {
  try {
    entry();
    return 0;
  } catch (e) {
    if (e instanceof Ended) return e.code;
    throw e;
  }
}

const started = performance.now();
let code;
try {
  code = run();
} catch (e) {
  console.error(`trapped: ${e.message}`);
}
const millis = performance.now() - started;
stdout.write(Buffer.concat(output));
if (output.length > 0) stdout.write("\n");
for (const line of logged) stderr.write(`log ${line}\n`);
for (const line of sent) stderr.write(`sent ${line}\n`);
stderr.write(`result ${code ?? "trap"}, ${hostCalls} host calls, ${buffers.size - 2} buffers left open, ${memory ? memory.buffer.byteLength >> 10 : 0} KiB memory, ${millis.toFixed(1)} ms\n`);
if (options.storage) writeFileSync(options.storage, JSON.stringify(storage, null, 1));
exit(code === undefined ? 2 : code === 0 ? 0 : 1);

function parse(args) {
  const made = { input: "{}", tool: "test.tool", http: {}, secrets: [], deny: [], prefix: "", values: false };
  const value = () => args.shift() ?? usage();
  while (args.length > 0) {
    const arg = args.shift();
    if (arg === "--entry") made.entry = value();
    else if (arg === "--input") made.input = fileOrText(value());
    else if (arg === "--tool") made.tool = value();
    else if (arg === "--http") made.http = JSON.parse(readFileSync(value(), "utf8"));
    else if (arg === "--secret") made.secrets.push(pair(value()));
    else if (arg === "--values") made.values = true;
    else if (arg === "--storage") made.storage = value();
    else if (arg === "--prefix") made.prefix = value();
    else if (arg === "--deny") made.deny.push(value());
    else if (arg === "--imports") made.imports = true;
    else if (arg.startsWith("--") || made.module) usage();
    else made.module = arg;
  }
  if (!made.module) usage();
  JSON.parse(made.input);
  return made;
}

function fileOrText(argument) {
  return argument.startsWith("@") ? readFileSync(argument.slice(1), "utf8") : argument;
}

function pair(argument) {
  const at = argument.indexOf("=");
  return at < 1 ? usage() : { key: argument.slice(0, at), value: argument.slice(at + 1) };
}

function usage() {
  console.error("usage: node harness.mjs MODULE.wasm [--entry NAME] [--input JSON|@FILE] [--http FILE] [--secret KEY=VALUE] [--values] [--storage FILE] [--prefix PREFIX] [--deny http|secret|storage|channel] [--imports]");
  exit(2);
}
