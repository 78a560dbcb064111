package palyra.config.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationValidatorTest {
    private static String refusal(Source source) {
        ConfigurationValidator.Validation checked =
                ConfigurationValidator.check(source, Samples.schema());
        assertEquals(1, checked.problems().size(), () -> checked.problems().toString());
        Problem problem = checked.problems().get(0);
        return problem.message() + " " + problem.remedy();
    }

    @Test
    void turnsJsonIntoTheTypesOfTheMetatype() {
        ConfigurationValidator.Validation checked =
                ConfigurationValidator.check(
                        Samples.operator(
                                """
                                {"port": 7142, "name": "nice", "enabled": false, "ratio": 2,
                                 "bytes": 9007199254740993, "mode": "brisk", "token": "vault:api",
                                 "hosts": ["a,b", "c"], "ports": []}
                                """),
                        Samples.schema());
        assertTrue(checked.good(), () -> checked.problems().toString());
        Map<String, Object> values = checked.values();
        assertEquals(7142, values.get("port"));
        assertEquals("nice", values.get("name"));
        assertEquals(false, values.get("enabled"));
        assertEquals(2.0, values.get("ratio"));
        assertEquals(9007199254740993L, values.get("bytes"));
        assertEquals("vault:api", values.get("token"));
        assertEquals(new ListValue(AttributeType.STRING, List.of("a,b", "c")), values.get("hosts"));
        assertEquals(new ListValue(AttributeType.INTEGER, List.of()), values.get("ports"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"prot\": 1}            | key 'prot' is not known to palyra.sample. Did you mean"
                        + " 'port'?",
                "{\"zzzzzzzzzz\": 1}      | It takes bytes, enabled, hosts, mode, name, port,"
                        + " ports, ratio, token.",
                "{\"port\": \"7142\"}     | 'port' is \"7142\", but it takes a whole number from 1"
                        + " to 65535.",
                "{\"port\": 0}            | 'port' is 0, but it takes a whole number from 1 to"
                        + " 65535.",
                "{\"port\": 65536}        | 'port' is 65536, but it takes a whole number from 1 to"
                        + " 65535.",
                "{\"port\": 80.5}         | 'port' is 80.5, but it takes a whole number",
                "{\"port\": 1e999}        | but it takes a whole number",
                "{\"port\": 1e5}          | 'port' is 100000, but it takes a whole number from 1 to"
                        + " 65535.",
                "{\"port\": 4294967297}   | 'port' is 4294967297, but it takes a whole number",
                "{\"port\": null}         | 'port' is null, but it takes a whole number",
                "{\"bytes\": 9223372036854775808} | 'bytes' is 9223372036854775808, but it takes a"
                        + " whole number",
                "{\"enabled\": \"true\"}  | 'enabled' is \"true\", but it takes true or false.",
                "{\"ratio\": \"1\"}       | 'ratio' is \"1\", but it takes a number.",
                "{\"ratio\": 1e999}       | but it takes a number.",
                "{\"mode\": \"wild\"}     | 'mode' is \"wild\", but it takes one of calm, brisk.",
                "{\"name\": \"x\"}        | 'name' is \"x\", but it takes text, from 2 to 10"
                        + " characters.",
                "{\"name\": {}}           | 'name' is {}, but it takes text",
                "{\"hosts\": \"a\"}       | 'hosts' is \"a\", but it takes a list of at most 3 in ["
                        + " ], each text.",
                "{\"hosts\": [1]}         | 'hosts' is 1, but it takes a list of at most 3",
                "{\"hosts\": [\"a\",\"b\",\"c\",\"d\"]} | but it takes a list of at most 3",
            })
    void namesFileKeyValueAndWhatIsAllowed(String json, String expected) {
        String refusal = refusal(Samples.operator(json));
        assertTrue(refusal.startsWith("operator file palyra.sample.json: "), refusal);
        assertTrue(refusal.contains(expected), refusal);
    }

    @Test
    void namesEveryFaultNotOnlyTheFirst() {
        ConfigurationValidator.Validation checked =
                ConfigurationValidator.check(
                        Samples.operator("{\"port\": 0, \"nmae\": 1}"), Samples.schema());
        assertEquals(2, checked.problems().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000", "1e3", "1.0E+3", "1000.0", "10000e-1"})
    void takesAWholeNumberHoweverItIsWritten(String number) {
        ConfigurationValidator.Validation checked =
                ConfigurationValidator.check(
                        Samples.operator("{\"port\": " + number + "}"), Samples.schema());
        assertTrue(checked.good(), () -> checked.problems().toString());
        assertEquals(1000, checked.values().get("port"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hunter2", "vault:", "vault:a b", "Vault:x", " vault:x"})
    void refusesALiteralSecretAndDoesNotShowIt(String secret) {
        String refusal = refusal(Samples.operator("{\"token\": \"" + secret + "\"}"));
        assertTrue(refusal.contains("only vault: references are allowed"), refusal);
        assertFalse(refusal.contains("hunter2"), refusal);
    }

    @Test
    void doesNotShowASecretOfTheWrongType() {
        assertFalse(refusal(Samples.operator("{\"token\": 424242}")).contains("424242"));
    }

    @Test
    void doesNotShowTheValueOfAKeyItDoesNotKnow() {
        assertFalse(refusal(Samples.operator("{\"tokn\": \"hunter2\"}")).contains("hunter2"));
    }

    @Test
    void listensToTheDeclaringBundlesOwnJudgement() {
        Attribute even =
                new Attribute(
                        "even",
                        AttributeType.INTEGER,
                        0,
                        false,
                        List.of(),
                        List.of(),
                        Attribute.Bounds.OPEN,
                        v -> Integer.parseInt(v) % 2 == 0 ? "" : "odd");
        Schema schema = Samples.schema(Samples.PID, false, even);
        assertFalse(ConfigurationValidator.check(Samples.operator("{\"even\": 3}"), schema).good());
        assertTrue(ConfigurationValidator.check(Samples.operator("{\"even\": 4}"), schema).good());
    }

    @Test
    void takesADefaultBeyondTheBoundsAndNothingBetween() {
        Attribute memory =
                new Attribute(
                        "memory",
                        AttributeType.LONG,
                        0,
                        false,
                        List.of("0"),
                        List.of(),
                        new Attribute.Bounds("262144", "1000000"),
                        v -> v.equals("0") ? "too small" : "");
        Schema schema = Samples.schema(Samples.PID, false, memory);
        assertTrue(
                ConfigurationValidator.check(Samples.operator("{\"memory\": 0}"), schema).good());
        assertTrue(
                ConfigurationValidator.check(Samples.operator("{\"memory\": 262144}"), schema)
                        .good());
        for (String bad : List.of("1", "262143", "-1", "1000001")) {
            ConfigurationValidator.Validation checked =
                    ConfigurationValidator.check(
                            Samples.operator("{\"memory\": " + bad + "}"), schema);
            assertFalse(checked.good(), bad);
            String said = checked.problems().get(0).toString();
            assertTrue(said.contains("from 262144 to 1000000, or 0"), said);
        }
    }

    @Test
    void readsOverridesAsTheirTypesAsk() {
        Overrides overrides =
                Overrides.parse(
                        """
                        palyra.sample:port=80
                        palyra.sample:name=true
                        palyra.sample:enabled=true
                        palyra.sample:hosts=a, b
                        palyra.sample:ports=[1,2]
                        """);
        ConfigurationValidator.Validation checked =
                ConfigurationValidator.check(overrides.sources().get(0), Samples.schema());
        assertTrue(checked.good(), () -> checked.problems().toString());
        assertEquals(
                Map.of(
                        "port",
                        80,
                        "name",
                        "true",
                        "enabled",
                        true,
                        "hosts",
                        new ListValue(AttributeType.STRING, List.of("a", "b")),
                        "ports",
                        new ListValue(AttributeType.INTEGER, List.of(1, 2))),
                checked.values());
        String refusal = refusal(Overrides.parse("palyra.sample:port=many").sources().get(0));
        assertTrue(refusal.startsWith("--set palyra.sample: 'port' is \"many\""), refusal);
    }

    @Test
    void tellsAnInstanceFromASingleton() {
        Schema factory = Samples.schema(Samples.PID, true);
        assertFalse(ConfigurationValidator.check(Samples.operator("{}"), factory).good());
        Source named = Samples.source(Layer.OPERATOR, Samples.PID + "~one", "{}");
        assertTrue(ConfigurationValidator.check(named, factory).good());
        assertFalse(ConfigurationValidator.check(named, Samples.schema()).good());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]                              | not an object",
                "{\"a\": 1                       | not acceptable JSON",
                "{\"a\": 1, \"a\": 2}            | Duplicate",
                "{\"a\": 1} {}                   | not acceptable JSON",
                "``                              | empty",
                "{\"token\": hunter2}            | not acceptable JSON",
                "{\"token\": 'hunter2'}          | not acceptable JSON",
            })
    void saysWhatIsWrongWithBadJsonAndQuotesNoValue(String text, String expected) {
        Source.Content content = ConfigurationValidator.read(text.getBytes(StandardCharsets.UTF_8));
        assertTrue(content instanceof Source.Broken, content.toString());
        String reason = ((Source.Broken) content).reason();
        assertTrue(reason.contains(expected), reason);
        assertFalse(reason.contains("hunter2"), reason);
    }
}
