import {
  Answer,
  HttpRequest,
  Json,
  Kind,
  Level,
  context,
  fail,
  failWith,
  http,
  input,
  log,
  openSecret,
  storageGet,
  storagePut,
  succeed,
} from "../../sdk/assemblyscript/palyra";

/** Where the number of calls is kept; the manifest grants the prefix `counts/`. */
const COUNT_KEY = "counts/echo";

/** How often a count is tried again when another call was faster. */
const TRIES = 5;

/** Tool `palyra-examples.echo`: returns its input and how often it was called so far. */
export function echo(): i32 {
  const counted = countCall();
  if (counted.failed) return failWith(counted);
  const output = Json.object()
    .set("echo", input().get("text"))
    .set("count", counted.get("count"))
    .set("attempt", context().get("attempt"));
  return succeed(output);
}

/** Adds one to the stored count. A version guards against two calls at the same time. */
function countCall(): Answer {
  let put = new Answer(Json.object());
  for (let i = 0; i < TRIES; i++) {
    const stored = storageGet(COUNT_KEY);
    const isNew = stored.failed && stored.code == "not_found";
    if (stored.failed && !isNew) return stored;
    const count = isNew ? 1 : parseCount(stored.get("value")) + 1;
    put = storagePut(COUNT_KEY, count.toString(), isNew ? 0 : stored.get("version").asInteger());
    if (!put.failed) return new Answer(Json.object().setInteger("count", count));
    if (put.code != "conflict") return put;
  }
  return put;
}

function parseCount(value: Json): i64 {
  const number = Json.parse(value.asText("0"));
  return number === null ? 0 : number.asInteger();
}

/** Tool `palyra-examples.http_get`: gets a URL of an allowed host. */
export function http_get(): i32 {
  const asked = input();
  const request = new HttpRequest("GET", asked.get("url").asText())
    .header("accept", asked.get("accept").asText("*/*"))
    .timeoutMillis(10000);
  if (asked.get("authorize").asBool()) {
    const secret = openSecret("skill", "api_token");
    if (secret.failed) return failWith(secret);
    request.secretHeader("Authorization", secret.get("handle").asInteger() as i32, "Bearer ");
  }
  const response = http(request);
  if (response.failed) {
    log(Level.Warn, "request failed: " + response.message);
    return failWith(response);
  }
  if (response.get("body").kind != Kind.Text) {
    return fail("invalid", "the host answered something that is not text");
  }
  return succeed(describe(response));
}

function describe(response: Answer): Json {
  return Json.object()
    .set("status", response.get("status"))
    .set("content_type", Json.text(response.get("headers").get("content-type").asText()))
    .set("body", response.get("body"));
}
