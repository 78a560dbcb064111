package palyra.lib.cedar.internal.engine;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Makes texts that are nearly right, deeply nested, endlessly long, or nonsense; by seed. */
final class HostileTexts {
    private static final List<String> POLICIES =
            List.of(
                    "permit(principal, action, resource);",
                    "@id(\"a\") @note(\"b\") forbid(principal == User::\"a\", action in"
                            + " [Action::\"view\", Action::\"edit\"], resource is Doc) unless {"
                            + " principal.level > 3 && resource.owner == principal };",
                    "permit(principal in ?principal, action, resource == ?resource) when {"
                            + " principal has name && principal.name like \"a*b\\*\" };",
                    "permit(principal is User in User::\"x\", action == Action::\"view\", resource)"
                            + " when { [1, 2].containsAny([context.hour]) || {a: 1, \"b c\": -2}.a"
                            + " * 3 - 4 < 9223372036854775807 };",
                    "forbid(principal, action, resource) when { if principal.hasTag(\"t\") then"
                            + " principal.getTag(\"t\") == \"\\u{1F600}\\0\\n\" else"
                            + " ip(\"10.0.0.1\").isInRange(ip(\"10.0.0.0/8\")) };",
                    "permit(principal, action, resource) when {"
                            + " decimal(\"1.2345\").lessThan(decimal(\"2.0\")) &&"
                            + " datetime(\"2024-01-01\").offset(duration(\"1d2h\")) >"
                            + " datetime(\"2024-01-01T00:00:00Z\") }; // end 😀\n",
                    "permit(principal, action, resource) when { principal has boss.boss.name &&"
                            + " (principal is User in User::\"b\") };");
    private static final List<String> SCHEMAS =
            List.of(
                    Engines.SCHEMA,
                    "namespace A::B { type T = { x: Set<Long>, y?: { z: ipaddr } }; @doc(\"d\")"
                            + " entity E in [F] = T; entity F enum [\"a\", \"b\"]; action \"x y\" in"
                            + " [Action::\"g\"] appliesTo { principal: [E, F], resource: E, context:"
                            + " T }; action g; }",
                    "type A = { a: B, b: B }; type B = { a: C, b: C }; type C = Set<Set<Bool>>;"
                            + " entity U { \"😀\": A, \"\\0\": decimal } tags Set<String>;",
                    "{\"N\":{\"commonTypes\":{\"T\":{\"type\":\"Record\",\"attributes\":{\"a\":{"
                            + "\"type\":\"EntityOrCommon\",\"name\":\"U\",\"required\":false}}}},"
                            + "\"entityTypes\":{\"U\":{\"memberOfTypes\":[\"U\"],\"shape\":{"
                            + "\"type\":\"T\"}}},\"actions\":{\"v\":{\"appliesTo\":{"
                            + "\"principalTypes\":[\"U\"],\"resourceTypes\":[\"U\"],\"context\":{"
                            + "\"type\":\"Record\",\"attributes\":{}}},\"memberOf\":[{\"id\":"
                            + "\"w\"}]},\"w\":{}}}}");
    private static final List<String> ENTITIES =
            List.of(
                    "[{\"uid\":{\"type\":\"User\",\"id\":\"a\"},\"attrs\":{\"name\":\"x\",\"boss\":{"
                            + "\"__entity\":{\"type\":\"User\",\"id\":\"b\"}}},\"parents\":[{\"type\":"
                            + "\"User\",\"id\":\"b\"}],\"tags\":{\"t\":\"v\"}}]",
                    "[{\"uid\":{\"__entity\":{\"type\":\"Doc\",\"id\":\"😀\\u0000\"}},\"attrs\":{"
                            + "\"owner\":{\"type\":\"User\",\"id\":\"a\"},\"ip\":{\"__extn\":{\"fn\":"
                            + "\"ip\",\"arg\":\"1.1.1.1\"}},\"s\":[1,[2,{\"a\":-3}]]},"
                            + "\"parents\":[]}]");
    private static final List<String> REQUESTS =
            List.of(
                    "{\"principal\":{\"type\":\"User\",\"id\":\"a\"},\"action\":{\"type\":\"Action\","
                            + "\"id\":\"view\"},\"resource\":{\"type\":\"Doc\",\"id\":\"d\"},"
                            + "\"context\":{\"hour\":3},\"entities\":[{\"uid\":{\"type\":\"User\","
                            + "\"id\":\"a\"},\"attrs\":{\"name\":\"n\",\"boss\":{\"__entity\":{"
                            + "\"type\":\"User\",\"id\":\"b\"}}},\"parents\":[]}],"
                            + "\"validateRequest\":true}",
                    "{\"principal\":{\"type\":\"User\",\"id\":\"\"},\"action\":{\"type\":"
                            + "\"Action\",\"id\":\"edit\"},\"resource\":{\"type\":\"Doc\",\"id\":"
                            + "\"\\ud83d\\ude00\"},\"context\":{\"hour\":[{\"b\":[]}],\"d\":{\"__extn\":"
                            + "{\"fn\":\"decimal\",\"arg\":\"1.0\"}}}}");
    private static final List<String> BITS =
            List.of(
                    "(",
                    ")",
                    "[",
                    "]",
                    "{",
                    "}",
                    "\"",
                    "\\",
                    "//",
                    "\n",
                    "\r",
                    "\u2028",
                    ";",
                    ",",
                    ".",
                    "..",
                    "::",
                    "&&",
                    "||",
                    "!",
                    "-",
                    "- -",
                    "*",
                    "==",
                    "?principal",
                    "?x",
                    "@",
                    "@id(",
                    "if ",
                    " then ",
                    " else ",
                    " has ",
                    " like ",
                    " is ",
                    " in ",
                    "true",
                    "9223372036854775808",
                    "-9223372036854775808",
                    "00",
                    "1e5",
                    "1.5",
                    "null",
                    "principal",
                    "__cedar::Long",
                    "__entity",
                    "__extn",
                    "__expr",
                    "unknown(\"x\")",
                    "ip(\"\")",
                    "decimal(1)",
                    "contains",
                    "\u0000",
                    "\uFEFF",
                    "😀",
                    "é",
                    "\u0301",
                    "\\u{110000}",
                    "\\u{D800}",
                    "\\x7f",
                    "\\*",
                    "permit",
                    "when",
                    "unless",
                    "entity",
                    "type ",
                    "action",
                    "namespace ",
                    "appliesTo",
                    "enum [",
                    "tags ",
                    "Set<",
                    ">",
                    "error(",
                    "$",
                    "#",
                    "`",
                    "%",
                    "^",
                    "/*",
                    "\u202E");

    /** What stands around a nested thing: before, after. */
    private static final String[][] NESTS = {
        {"(", ")"},
        {"!(", ")"},
        {"[", "]"},
        {"{a:", "}"},
        {"-(", ")"},
        {"if true then ", " else 1"},
        {"principal.contains(", ")"},
        {"(", " has a.b)"},
        {"(", " is T in User::\"a\")"},
        {"Set<", ">"},
        {"{\"a\":", "}"},
        {"{ a: ", " }"},
        {"!", ""},
        {"-", ""},
        {"", ".a"},
        {"", "[\"a\"]"},
        {"", " && true"},
        {"1 + ", ""},
        {"", "::a"},
        {"", " when { true }"},
        {"@a ", ""},
        {"1,", ""},
        {"", " || principal has a.b.c.d"},
        {"principal.a == 1 || ", ""},
        {"\"a\" like \"*", "\""}
    };

    private final Random random;

    HostileTexts(long seed) {
        random = new Random(seed);
    }

    byte[] policies() {
        return bytes(random.nextInt(4) == 0 ? nestedPolicy() : mutated(several(POLICIES)));
    }

    byte[] schema() {
        return bytes(random.nextInt(4) == 0 ? nestedSchema() : mutated(one(SCHEMAS)));
    }

    byte[] entities() {
        return bytes(
                random.nextInt(4) == 0
                        ? nestedValue(
                                "[{\"uid\":{\"type\":\"User\",\"id\":\"a\"},\"attrs\":{\"x\":",
                                "},\"parents\":[]}]")
                        : mutated(one(ENTITIES)));
    }

    String request() {
        return random.nextInt(4) == 0
                ? nestedValue(
                        "{\"principal\":{\"type\":\"User\",\"id\":\"a\"},\"action\":{\"type\":"
                                + "\"Action\",\"id\":\"view\"},\"resource\":{\"type\":\"Doc\",\"id\":"
                                + "\"d\"},\"context\":{\"x\":",
                        "}}")
                : mutated(one(REQUESTS));
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String several(List<String> of) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            text.append(one(of)).append('\n');
        }
        return text.toString();
    }

    private String nestedPolicy() {
        return "permit(principal, action, resource) when { " + nest("principal.a") + " };";
    }

    private String nestedSchema() {
        return switch (random.nextInt(4)) {
            case 0 -> "entity U { a: " + nest("Long") + " };";
            case 1 -> "type T = " + nest("String") + ";";
            case 2 -> chain();
            default -> "entity " + "A, ".repeat(depth()) + "B in [A];";
        };
    }

    /** Types that double: T0 uses T1 twice, which uses T2 twice, … */
    private String chain() {
        StringBuilder text = new StringBuilder();
        int types = 1 + random.nextInt(60);
        String space = random.nextBoolean() ? "" : "N" + random.nextInt(3) + "::";
        for (int i = 0; i < types; i++) {
            String next = i + 1 < types ? space + "T" + (i + 1) : "Long";
            text.append("type T").append(i).append(" = {a: ").append(next);
            text.append(", b: ").append(next).append("};\n");
        }
        text.append("entity U { x: T0 };");
        return space.isEmpty()
                ? text.toString()
                : "namespace " + space.substring(0, 2) + " { " + text + " }";
    }

    private String nestedValue(String before, String after) {
        int depth = depth();
        return switch (random.nextInt(3)) {
            case 0 -> before + "[".repeat(depth) + "]".repeat(depth) + after;
            case 1 -> before + "{\"a\":".repeat(depth) + "1" + "}".repeat(depth) + after;
            default -> before + "[" + "1,".repeat(depth) + one(BITS) + "]" + after;
        };
    }

    private String nest(String core) {
        String text = core;
        for (int round = random.nextInt(3); round >= 0; round--) {
            String[] around = NESTS[random.nextInt(NESTS.length)];
            int depth = depth();
            text = around[0].repeat(depth) + text + around[1].repeat(depth);
            text = random.nextInt(3) == 0 ? text + " && " + one(BITS) : text;
        }
        return text;
    }

    /** Around each limit, and far beyond. */
    private int depth() {
        int[] around = {5, 20, 50, 60, 300, 1_000, 5_000, 20_000};
        int depth = around[random.nextInt(around.length)];
        return depth - depth / 10 + random.nextInt(depth / 5 + 1);
    }

    private String mutated(String text) {
        StringBuilder changed = new StringBuilder(text);
        for (int i = random.nextInt(6); i > 0 && !changed.isEmpty(); i--) {
            int from = random.nextInt(changed.length());
            int to = Math.min(changed.length(), from + 1 + random.nextInt(12));
            String part = changed.substring(from, to);
            switch (random.nextInt(6)) {
                case 0 -> changed.delete(from, to);
                case 1 -> changed.insert(from, one(BITS));
                case 2 -> changed.replace(from, to, one(BITS));
                case 3 -> changed.insert(random.nextInt(changed.length()), part);
                case 4 ->
                        changed.setCharAt(
                                from, (char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
                default -> changed.insert(from, part.repeat(random.nextInt(100)));
            }
        }
        return changed.toString();
    }

    private byte[] bytes(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(20) == 0 && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
