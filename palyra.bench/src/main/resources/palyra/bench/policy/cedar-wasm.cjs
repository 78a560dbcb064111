// One request a line on standard input, one answer a line on standard output:
//   {"prepare": {"policies": "…", "entities": […], "asks": [{principal, action, resource, context}]}}
//   {"round": {"nanos": N, "most": N}}
// The first argument is the folder with node_modules.
'use strict';
const path = require('node:path');
const readline = require('node:readline');
const cedar = require(
    path.join(process.argv[2], 'node_modules', '@cedar-policy', 'cedar-wasm', 'nodejs'));

const SET = 'scenario';
let calls = [];

function prepare(scenario) {
    const parsed = cedar.preparsePolicySet(SET, {staticPolicies: scenario.policies});
    if (parsed.type !== 'success') {
        throw new Error(JSON.stringify(parsed));
    }
    calls = scenario.asks.map(ask => ({
        ...ask, preparsedPolicySetId: SET, validateRequest: false, entities: scenario.entities,
    }));
    return {version: cedar.getCedarVersion()};
}

function allowed(call) {
    const answer = cedar.statefulIsAuthorized(call);
    if (answer.type !== 'success') {
        throw new Error(JSON.stringify(answer));
    }
    return answer.response.decision === 'allow';
}

function round(wanted) {
    const nanos = [];
    const first = [];
    const end = process.hrtime.bigint() + BigInt(wanted.nanos);
    do {
        for (let i = 0; i < calls.length; i++) {
            const start = process.hrtime.bigint();
            const yes = allowed(calls[i]);
            nanos.push(Number(process.hrtime.bigint() - start));
            if (first.length < calls.length) {
                first.push(yes);
            } else if (first[i] !== yes) {
                throw new Error('request ' + i + ' was answered in two ways');
            }
        }
    } while (process.hrtime.bigint() < end && nanos.length + calls.length <= wanted.most);
    return {nanos, allowed: first};
}

readline.createInterface({input: process.stdin}).on('line', line => {
    let answer;
    try {
        const request = JSON.parse(line);
        answer = request.prepare ? prepare(request.prepare) : round(request.round);
    } catch (e) {
        answer = {error: String(e && e.message || e)};
    }
    process.stdout.write(JSON.stringify(answer) + '\n');
});
