// Clients that others wrote, against a gateway with the deterministic model. Arguments: base URL, token.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled } from '@openai/agents';

const [baseURL, apiKey] = process.argv.slice(2);
const client = new OpenAI({ baseURL, apiKey });
const model = 'default';

async function check(name, work) {
  await work();
  console.log(`ok ${name}`);
}

const user = (content) => ({ role: 'user', content });

await check('models', async () => {
  const ids = [];
  for await (const each of await client.models.list()) ids.push(each.id);
  assert(ids.includes(model), ids.join());
  assert.equal((await client.models.retrieve(model)).owned_by, 'palyra');
});

await check('chat completion', async () => {
  const answer = await client.chat.completions.create({ model, messages: [user('hello')] });
  assert.equal(answer.choices[0].message.content, 'You said: hello');
  assert.equal(answer.choices[0].finish_reason, 'stop');
  assert.equal(answer.usage.total_tokens, answer.usage.prompt_tokens + answer.usage.completion_tokens);
});

await check('streamed chat completion with usage', async () => {
  const stream = await client.chat.completions.create({
    model, messages: [user('stream')], stream: true, stream_options: { include_usage: true },
  });
  let text = '';
  let usage;
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta?.content ?? '';
    usage = chunk.usage ?? usage;
  }
  assert.equal(text, 'You said: stream');
  assert(usage.total_tokens > 0);
});

await check('the stream helper collects the message', async () => {
  const runner = client.chat.completions.stream({ model, messages: [user('helper')] });
  assert.equal((await runner.finalMessage()).content, 'You said: helper');
});

await check('a chat goes on by its transcript', async () => {
  const messages = [user('one')];
  const ask = async () => (await client.chat.completions.create({ model, messages })).choices[0].message;
  messages.push(await ask(), user('two'));
  assert.equal((await ask()).content, 'You said: two');
});

await check('errors', async () => {
  await assert.rejects(client.chat.completions.create({ model: 'gpt-5', messages: [user('x')] }),
    (e) => e instanceof OpenAI.NotFoundError && e.code === 'model_not_found');
  await assert.rejects(client.chat.completions.create({ model, n: 2, messages: [user('x')] }),
    (e) => e instanceof OpenAI.BadRequestError && e.param === 'n');
  await assert.rejects(new OpenAI({ baseURL, apiKey: 'palyra_wrong' }).models.list(),
    (e) => e instanceof OpenAI.AuthenticationError);
  await assert.rejects(client.responses.delete('resp_x'), (e) => e.status === 405);
});

await check('a key makes a repeated request one run', async () => {
  const ask = () => client.chat.completions
    .create({ model, messages: [user('once')] }, { headers: { 'Idempotency-Key': `k-${process.pid}` } });
  assert.equal((await ask()).id, (await ask()).id);
});

let first;
await check('response', async () => {
  first = await client.responses.create({ model, input: 'hello', instructions: 'Be brief.' });
  assert.equal(first.status, 'completed');
  assert(first.output_text.includes('hello'), first.output_text);
  assert.equal((await client.responses.retrieve(first.id)).output_text, first.output_text);
});

await check('a response goes on from the one before', async () => {
  const next = await client.responses.create({ model, input: 'next', previous_response_id: first.id });
  assert.equal(next.output_text, 'You said: next');
  assert.equal(next.previous_response_id, first.id);
  await assert.rejects(
    client.responses.create({ model, input: 'fork', previous_response_id: first.id }), /not the newest/);
});

await check('streamed response', async () => {
  const types = [];
  let text = '';
  let last;
  for await (const event of await client.responses.create({ model, input: 'events', stream: true })) {
    types.push(event.type);
    assert.equal(event.sequence_number, types.length - 1);
    if (event.type === 'response.output_text.delta') text += event.delta;
    last = event;
  }
  assert.equal(text, 'You said: events');
  assert.deepEqual(types.slice(0, 4),
    ['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added']);
  assert.equal(last.type, 'response.completed');
  const runner = client.responses.stream({ model, input: 'helper' });
  assert.equal((await runner.finalResponse()).output_text, 'You said: helper');
});

setTracingDisabled(true);
setDefaultOpenAIClient(client);
for (const api of ['responses', 'chat_completions']) {
  await check(`agents over ${api}`, async () => {
    setOpenAIAPI(api);
    const agent = new Agent({ name: 'Peer', instructions: 'Be brief.', model });
    const whole = await run(agent, `whole ${api}`);
    assert(whole.finalOutput.endsWith(`whole ${api}`), whole.finalOutput);
    const again = await run(agent, [...whole.history, user(`again ${api}`)]);
    assert.equal(again.finalOutput, `You said: again ${api}`);
    const streamed = await run(agent, `streamed ${api}`, { stream: true });
    let text = '';
    for await (const piece of streamed.toTextStream()) text += piece;
    await streamed.completed;
    assert(text.endsWith(`streamed ${api}`), text);
  });
}
console.log('all clients agree');
