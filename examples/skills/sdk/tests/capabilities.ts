// Calls everything that the SDK offers once, and returns what came of it. See run.sh.
import * as palyra from "../assemblyscript/palyra";
import { HttpRequest, Json, Level } from "../assemblyscript/palyra";

export function palyra_call(): i32 {
  const out = Json.object();
  out.set("tool", palyra.context().get("tool"));
  out.set("text", palyra.input().get("text"));
  out.setBool("clock", palyra.now() > 1600000000000);
  const bytes = palyra.random(32);
  let mixed = 0;
  for (let i = 0; i < bytes.length; i++) mixed |= bytes[i];
  out.setBool("random", mixed != 0 && bytes.length == 32);
  palyra.log(Level.Info, "a line");

  const handle = palyra.openSecret("skill", "api_token").get("handle").asInteger() as i32;
  const request = new HttpRequest("POST", palyra.input().get("url").asText("https://api.example.com/things"))
    .header("x-test", "1")
    .secretHeader("Authorization", handle, "Bearer ")
    .body("{}")
    .timeoutMillis(1000);
  const response = palyra.http(request);
  out.set("status", response.get("status"));
  out.set("body", response.get("body"));
  out.set("secret", palyra.secretValue(handle).get("value"));
  out.setText("denied", palyra.openSecret("skill", "other").code);
  out.setText("unavailable", palyra.http(new HttpRequest("GET", "https://nowhere.example.com/")).code);

  out.set("version", palyra.storagePut("notes/a", "välue \"1\"", 0).get("version"));
  out.setText("conflict", palyra.storagePut("notes/a", "2", 0).code);
  out.set("again", palyra.storagePut("notes/a", "2").get("version"));
  out.set("value", palyra.storageGet("notes/a").get("value"));
  out.setInteger("keys", palyra.storageList("notes/").get("keys").size);
  out.setInteger("after", palyra.storageList("notes/", "notes/a").get("keys").size);
  out.set("deleted", palyra.storageDelete("notes/a").get("deleted"));
  out.setText("gone", palyra.storageGet("notes/a").code);
  const sent = palyra.sendToChannel("discord:main", "hi ☃", "once").get("outbox_id");
  out.set("outbox", sent);
  out.set("edited", palyra.editInChannel(sent.asText(), "hi").get("outbox_id"));
  out.set("reacted", palyra.reactInChannel("discord:main", "👍").get("outbox_id"));
  out.setInteger("read", palyra.readChannel("discord:main", "", 2).get("messages").size);
  return palyra.succeed(out);
}

/** Reads the text of the input as JSON and returns it as it is written, or null. */
export function reread(): i32 {
  const read = Json.parse(palyra.input().get("text").asText());
  return palyra.succeed(read === null ? Json.nothing() : read);
}
