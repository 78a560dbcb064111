// Tool `@ID@.greet`. A tool is an exported function that reads its input, does its work, and ends
// with succeed(...) or fail(...). palyra.ts says what else there is: storage, HTTP, secrets,
// channels, a log.
import { Json, fail, input, succeed } from "./palyra";

export function palyra_call(): i32 {
  const name = input().get("name").asText();
  if (name.length == 0) return fail("invalid", "name is missing or empty");
  return succeed(Json.object().setText("greeting", "Hello, " + name + "!"));
}
