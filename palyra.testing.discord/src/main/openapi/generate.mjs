// Writes Discord's OpenAPI document, reduced to what the fake uses, from the npm package
// discord-api-spec (MIT), which has it as TypeScript types and Zod schemas only.
//
//   npm install --no-save discord-api-spec@10.0.266135 zod@4 typescript@5
//   node generate.mjs > ../resources/palyra/testing/discord/openapi.json
//   node generate.mjs --calls > ../resources/palyra/testing/discord/calls.txt    # names of all calls
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";
import * as z from "zod";

const require = createRequire(import.meta.url);
const home = join(dirname(require.resolve("zod/package.json")), "..", "discord-api-spec");
const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const zod = await import(join(home, "build", "discord-api-spec.zod.js"));

const USED = [
  /^\/gateway/,
  /^\/users\/(\{user_id\}|@me|@me\/channels|@me\/guilds)$/,
  /^(\/oauth2)?\/applications\/@me$/,
  /^\/applications\/\{application_id\}(\/guilds\/\{guild_id\})?\/commands(\/\{command_id\})?$/,
  /^\/guilds\/\{guild_id\}$/,
  /^\/guilds\/\{guild_id\}\/(channels|roles|threads\/active|members\/\{user_id\})$/,
  /^\/channels\/\{channel_id\}(\/typing|\/threads|\/thread-members\/@me)?$/,
  /^\/channels\/\{channel_id\}\/threads\/archived\/public$/,
  /^\/channels\/\{channel_id\}\/messages(\/bulk-delete|\/\{message_id\}(\/threads)?)?$/,
  /^\/channels\/\{channel_id\}\/messages\/\{message_id\}\/reactions/,
  /^\/interactions\//,
  /^\/webhooks\/\{webhook_id\}\/\{webhook_token\}(\/messages\/.*)?$/,
];
// What the fake does not have of these.
const UNUSED = /^(get|patch|delete) \/webhooks\/\{webhook_id\}\/\{webhook_token\}$|^(put|patch|delete) \/guilds|^post \/guilds\/\{guild_id\}\/roles|^patch \/(users|applications)\/@me/;
const EVENTS = [
  "GuildRoleResponse", "GuildResponse", "MessageResponse", "ThreadResponse", "UserResponse",
  "GuildChannelResponse", "PrivateChannelResponse", "GuildMemberResponse",
];

const ref = (name) => ({ $ref: "#/components/schemas/" + name });

// The components come from the Zod schemas, which carry the limits.
const registry = z.registry();
for (const [name, schema] of Object.entries(zod)) {
  if (name.endsWith("Schema") && typeof schema !== "function") {
    registry.add(schema, { id: name.slice(0, -"Schema".length) });
  }
}
const { schemas } = z.toJSONSchema(registry, {
  io: "input",
  unrepresentable: "any",
  uri: (id) => "#/components/schemas/" + id,
});

// Zod says "anyOf" with "null"; patterns and names stay. What it adds for itself goes.
function tidy(node) {
  if (Array.isArray(node)) {
    return node.map(tidy);
  }
  if (node === null || typeof node !== "object") {
    return node;
  }
  const out = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "$schema" || key === "$id" || (key === "id" && typeof value === "string")) {
      continue;
    }
    if (key === "pattern" && "format" in node) {
      continue; // Zod's own reading of the format, narrower than Discord's
    }
    out[key] = key === "properties" ? properties(value) : tidy(value);
  }
  return out;
}
function properties(of) {
  return Object.fromEntries(Object.entries(of).map(([name, schema]) => [name, tidy(schema)]));
}

// The operations come from the TypeScript types.
const source = ts.createSourceFile(
  "spec.ts", readFileSync(join(home, "build", "discord-api-spec.ts"), "utf8"),
  ts.ScriptTarget.Latest, true);
const K = ts.SyntaxKind;
const nameOf = (member) => member.name.text;
const members = (type) =>
  Object.fromEntries(type.members.map((member) => [nameOf(member), member]));

const declared = source.statements.find(
  (node) => ts.isInterfaceDeclaration(node) && node.name.text === "Paths");
if (process.argv[2] === "--calls") {
  const calls = declared.members.flatMap((path) =>
    path.type.members.map((method) => nameOf(method).toUpperCase() + " " + nameOf(path)));
  process.stdout.write(calls.sort().join("\n") + "\n");
  process.exit();
}

function schemaOf(type) {
  switch (type.kind) {
    case K.StringKeyword: return { type: "string" };
    case K.NumberKeyword: return { type: "number" };
    case K.BooleanKeyword: return { type: "boolean" };
    case K.UnknownKeyword: case K.AnyKeyword: case K.UndefinedKeyword: return {};
    case K.NeverKeyword: return undefined;
    case K.ParenthesizedType: return schemaOf(type.type);
    case K.ArrayType: return { type: "array", items: schemaOf(type.elementType) };
    case K.UnionType: return { anyOf: type.types.map(schemaOf) };
    case K.IntersectionType: return { allOf: type.types.map(schemaOf) };
    case K.LiteralType:
      return type.literal.kind === K.NullKeyword
        ? { type: "null" }
        : { const: JSON.parse(type.literal.getText()) };
    case K.TypeReference:
      if (type.typeName.text === "Record") {
        return { type: "object", additionalProperties: schemaOf(type.typeArguments[1]) };
      }
      if (!(type.typeName.text in schemas)) {
        return type.typeName.text in {Blob:1, File:1} ? {} : fail("no component " + type.getText());
      }
      return ref(type.typeName.text);
    case K.TypeLiteral: {
      const out = { type: "object", properties: {} };
      const required = [];
      for (const member of type.members) {
        if (member.kind === K.IndexSignature) {
          out.additionalProperties = schemaOf(member.type);
          continue;
        }
        out.properties[nameOf(member)] = schemaOf(member.type);
        if (!member.questionToken) {
          required.push(nameOf(member));
        }
      }
      return required.length ? { ...out, required } : out;
    }
    default: return fail("no schema for " + K[type.kind] + ": " + type.getText().slice(0, 200));
  }
}
function fail(why) {
  throw new Error(why);
}

const paths = {};
{
  for (const path of declared.members) {
    if (!USED.some((one) => one.test(nameOf(path)))) {
      continue;
    }
    const item = (paths[nameOf(path)] = {});
    for (const method of path.type.members) {
      if (UNUSED.test(nameOf(method) + " " + nameOf(path))) {
        continue;
      }
      const parts = members(method.type);
      const operation = (item[nameOf(method)] = { parameters: [], responses: {} });
      for (const place of parts.parameters.type.members) {
        if (place.type.kind !== K.TypeLiteral) {
          continue;
        }
        for (const one of place.type.members) {
          operation.parameters.push({
            name: nameOf(one), in: nameOf(place),
            required: nameOf(place) === "path", schema: schemaOf(one.type),
          });
        }
      }
      const body = parts.requestBody.type;
      if (body.kind !== K.UndefinedKeyword) {
        operation.requestBody = { content: { "application/json": { schema: schemaOf(body) } } };
      }
      for (const response of parts.responses.type.members) {
        operation.responses[nameOf(response)] = response.type.kind === K.UnknownKeyword
          ? {}
          : { content: { "application/json": { schema: schemaOf(response.type) } } };
      }
      if (parts.security) {
        operation.security = parts.security.type.elements.map((one) =>
          Object.fromEntries(one.members.map((m) => [nameOf(m), []])));
      }
    }
  }
}

// Only the components that are reached.
const kept = {};
function keep(node) {
  if (node === null || typeof node !== "object") {
    return;
  }
  if (typeof node.$ref === "string") {
    const name = node.$ref.split("/").pop();
    if (!(name in kept)) {
      kept[name] = tidy(schemas[name] ?? fail("no component " + name));
      keep(kept[name]);
    }
  }
  Object.values(node).forEach(keep);
}
keep(paths);
EVENTS.forEach((name) => keep(ref(name)));

// Discord's document says that the codes of a form's errors are numbers; its reference and its
// servers have names such as BASE_TYPE_MAX_LENGTH.
kept.InnerErrors.properties._errors.items = {
  type: "object",
  properties: { code: { type: "string" }, message: { type: "string" } },
  required: ["code", "message"],
};

const components = Object.fromEntries(Object.entries(kept).sort(([a], [b]) => (a < b ? -1 : 1)));
process.stdout.write(JSON.stringify({
  openapi: "3.1.0",
  info: {
    title: "Discord HTTP API, reduced",
    version: "10",
    description: "Reduced by palyra.testing.discord to what its fake uses, with one correction"
      + " (InnerErrors). Made from npm discord-api-spec " + version + ", which is generated from"
      + " github.com/discord/discord-api-spec.",
    license: { name: "MIT", url: "https://github.com/discord/discord-api-spec" },
  },
  paths,
  components: { schemas: components },
}, null, 1) + "\n");
