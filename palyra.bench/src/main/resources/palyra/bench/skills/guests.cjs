// One request a line on standard input, one answer a line on standard output, as GuestsMain says:
//   {"prepare": TASK}, {"calls": {"nanos": N}}, {"fresh": {"nanos": N}}, {"late": {"count": N, "millis": N}}
// As one uses V8: the compiled module is kept, each call has a new instance, nothing limits what
// that does unless the module was metered before. A call is ended by ending its worker thread.
'use strict';
const readline = require('node:readline');
const {Worker, isMainThread, parentPort, workerData} = require('node:worker_threads');

const MOST = 20000;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', {fatal: true});
const context = encoder.encode(JSON.stringify(
    {abi: 1, attempt: 1, call: 'c', skill: 'bench', tool: 'bench'}));

let memory;
let buffers;
let stored;
let output;

const bytes = (ptr, len) => new Uint8Array(memory.buffer, ptr >>> 0, len >>> 0);

function open(answer) {
    buffers.push(encoder.encode(JSON.stringify(answer)));
    return buffers.length - 1;
}

function get(ptr, len) {
    const value = stored.get(JSON.parse(decoder.decode(bytes(ptr, len))).key);
    return open(value === undefined
        ? {error: {code: 'not_found', message: 'nothing there'}} : {value, version: 1});
}

function put(ptr, len) {
    const request = JSON.parse(decoder.decode(bytes(ptr, len)));
    stored.set(request.key, request.value);
    return open({version: 1});
}

const known = {
    'palyra.buffer_len': handle => buffers[handle] ? buffers[handle].length : -1,
    'palyra.buffer_read': (handle, offset, ptr, len) => {
        const from = buffers[handle];
        if (!from) {
            return -1;
        }
        const part = from.subarray(offset, Math.min(from.length, offset + len));
        bytes(ptr, part.length).set(part);
        return part.length;
    },
    'palyra.buffer_close': handle => {
        const there = buffers[handle] !== undefined;
        buffers[handle] = undefined;
        return there ? 0 : -1;
    },
    'palyra.output_write': (ptr, len) => {
        output.push(bytes(ptr, len).slice());
        return 0;
    },
    'palyra.host_capability_storage_get': get,
    'palyra.host_capability_storage_put': put,
};

function imports(module) {
    const all = {};
    for (const one of WebAssembly.Module.imports(module)) {
        const name = one.module + '.' + one.name;
        all[one.module] ??= {};
        all[one.module][one.name] = known[name]
            ?? (() => { throw new Error('no benchmark calls ' + name); });
    }
    return all;
}

const kept = new Map();
let task;
let ready;

function compiled() {
    const module = new WebAssembly.Module(task.bytes);
    return {module, imports: imports(module)};
}

function prepare(next) {
    task = {...next, bytes: Buffer.from(next.module, 'base64')};
    const key = task.name + task.metered;
    ready = kept.get(key) ?? compiled();
    kept.set(key, ready);
    return {};
}

function text() {
    return output.length === 1
        ? decoder.decode(output[0]) : decoder.decode(Buffer.concat(output));
}

function call(made) {
    buffers = [encoder.encode(task.input), context];
    stored = new Map();
    output = [];
    const {exports} = new WebAssembly.Instance(made.module, made.imports);
    memory = exports.memory;
    if (task.metered) {
        exports['palyra:refuel'](BigInt(task.fuel));
        exports['palyra:start']?.();
    }
    exports._initialize?.();
    const code = Number(exports[task.entry]());
    return {code, output: text()};
}

const spent = before => {
    const used = process.cpuUsage(before);
    return (used.user + used.system) * 1000;
};

/** On a busy machine it goes on until the process has had a fair part of the time. */
function enough(passed, wanted, cpu) {
    return passed >= wanted && (passed >= 20 * wanted || spent(cpu) >= wanted * 3 / 4);
}

function round(wanted, once) {
    const nanos = [];
    let first;
    let calls = 0;
    let wall = 0;
    const cpu = process.cpuUsage();
    const started = process.hrtime.bigint();
    let now;
    do {
        const begun = process.hrtime.bigint();
        const answer = once();
        now = process.hrtime.bigint();
        const one = Number(now - begun);
        nanos[calls++ % MOST] = one;
        wall += one;
        first ??= answer;
        if (answer.code !== first.code || answer.output !== first.output) {
            throw new Error('a call came to ' + JSON.stringify(answer) + ', not ' + JSON.stringify(first));
        }
    } while (!enough(Number(now - started), wanted.nanos, cpu));
    return {...first, calls, wall, cpu: spent(cpu), nanos};
}

/**
 * Runs the task in a worker, ends that at the deadline, and returns how late it was gone. It is
 * told to end every second until it is gone.
 */
function expire(millis) {
    return new Promise((resolve, reject) => {
        const worker = new Worker(__filename, {workerData: task});
        worker.on('error', reject);
        worker.on('message', said => {
            if (said !== 'begins') {
                reject(new Error(task.name + ' came to an end by itself'));
                return;
            }
            const begun = process.hrtime.bigint();
            setTimeout(async () => {
                const again = setInterval(() => worker.terminate(), 1000);
                await worker.terminate();
                clearInterval(again);
                resolve(Number(process.hrtime.bigint() - begun) - millis * 1e6);
            }, millis);
        });
    });
}

async function late(wanted) {
    const nanos = [];
    for (let i = 0; i < wanted.count; i++) {
        nanos.push(await expire(wanted.millis));
    }
    return {code: 0, output: '', calls: nanos.length, wall: 0, cpu: 0, nanos};
}

async function answer(request) {
    if (request.prepare) {
        return prepare(request.prepare);
    }
    if (request.late) {
        return late(request.late);
    }
    return request.fresh
        ? round(request.fresh, () => call(compiled())) : round(request.calls, () => call(ready));
}

async function serve() {
    for await (const line of readline.createInterface({input: process.stdin})) {
        let said;
        try {
            said = await answer(JSON.parse(line));
        } catch (e) {
            said = {error: String(e && e.stack || e)};
        }
        process.stdout.write(JSON.stringify(said) + '\n');
    }
}

if (isMainThread) {
    serve();
} else {
    task = workerData;
    const made = compiled();
    parentPort.postMessage('begins');
    call(made);
    parentPort.postMessage('ended');
}
