package palyra.policy.internal.cedar.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.RecordValue;
import palyra.policy.internal.cedar.value.Value;

final class ReadersTest {
    private static final String ENTITY = "{'__entity':{'type':'User','id':'root'}}";
    private static final String EXTENSION = "{'__extn':{'fn':'ip','arg':'10.0.0.1'}}";

    private static Value read(ValueReader reader, String json) {
        return reader.read(Json.parse(json.replace('\'', '"'), "the test"), "x");
    }

    private static String refusal(ValueReader reader, String json) {
        return assertThrows(CedarFormatException.class, () -> read(reader, json)).getMessage();
    }

    @Test
    void readsEscapesOnlyWhereTheyAreTrusted() {
        assertEquals(EntityUid.of("User", "root"), read(ValueReader.trusted(), ENTITY));
        assertEquals("ip(\"10.0.0.1/32\")", read(ValueReader.trusted(), EXTENSION).toString());
        for (String forged : List.of(ENTITY, EXTENSION, "{'__expr':'1'}", "{'a':1,'__entity':2}")) {
            assertTrue(refusal(ValueReader.untrusted(), forged).contains("reserved"));
            assertTrue(
                    refusal(ValueReader.untrusted(), "[{'a':" + forged + "}]")
                            .contains("reserved"));
        }
        assertEquals("{\"a\": [1]}", read(ValueReader.untrusted(), "{'a':[1,1]}").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "1.0",
                "1e3",
                "9223372036854775808",
                "{'__entity':{'type':'User'}}",
                "{'__entity':{'type':'User','id':1}}",
                "{'__entity':{'type':'1User','id':'a'}}",
                "{'__entity':{'type':'User','id':'a'},'b':1}",
                "{'__expr':'User::\"a\"'}",
                "{'__extn':{'fn':'nothing','arg':'a'}}",
                "{'__extn':{'fn':'ip','arg':'a'}}",
                "{'__extn':{'fn':'ip'}}"
            })
    void refusesWhatIsNoValue(String json) {
        assertThrows(CedarFormatException.class, () -> read(ValueReader.trusted(), json));
    }

    @Test
    void boundsTheDepthOfData() {
        String deep = "[".repeat(80) + "]".repeat(80);
        assertTrue(refusal(ValueReader.untrusted(), deep).contains("nested deeper than 64"));
        assertTrue(read(ValueReader.untrusted(), "[".repeat(60) + "]".repeat(60)) != null);
        Object list = List.of();
        for (int i = 0; i < 80; i++) {
            list = List.of(list);
        }
        Object deepList = list;
        assertThrows(CedarFormatException.class, () -> JavaValues.value(deepList));
    }

    @Test
    void readsPlainJavaButForgesNothing() {
        Map<String, Object> map = new HashMap<>(Map.of("a", 1, "b", List.of("x", true)));
        assertEquals("{\"a\": 1, \"b\": [\"x\", true]}", JavaValues.record(map).toString());
        map.put("c", EntityUid.of("User", "a"));
        assertEquals(EntityUid.of("User", "a"), JavaValues.record(map).get("c"));
        Map<String, String> uid = Map.of("type", "User", "id", "root");
        for (Object bad :
                new Object[] {
                    Map.of("__entity", uid),
                    Map.of("x", Map.of("__extn", uid)),
                    1.5,
                    Map.of(1, 2),
                    'c'
                }) {
            assertThrows(CedarFormatException.class, () -> JavaValues.value(List.of(bad)));
        }
        map.put("n", null);
        assertThrows(CedarFormatException.class, () -> JavaValues.record(map));
    }

    private static final String SCHEMA =
            """
            {"": {
              "commonTypes": {"Host": {"type": "Record", "attributes": {
                  "ip": {"type": "EntityOrCommon", "name": "ipaddr"}}}},
              "entityTypes": {
                "Group": {},
                "Level": {"enum": ["low", "high"]},
                "User": {"memberOfTypes": ["Group"],
                  "shape": {"type": "Record", "attributes": {
                    "friend": {"type": "EntityOrCommon", "name": "User", "required": false},
                    "host": {"type": "EntityOrCommon", "name": "Host", "required": false},
                    "n": {"type": "EntityOrCommon", "name": "Long"},
                    "when": {"type": "Extension", "name": "datetime", "required": false},
                    "all": {"type": "Set", "element": {"type": "Entity", "name": "User"},
                            "required": false}}},
                  "tags": {"type": "String"}}},
              "actions": {
                "read": {"memberOf": [{"id": "any"}], "appliesTo": {
                  "principalTypes": ["User"], "resourceTypes": ["User"],
                  "context": {"type": "Record", "attributes": {
                    "by": {"type": "Entity", "name": "User"}}}}},
                "any": {}}},
             "NS": {"entityTypes": {"User": {}}, "actions": {
                "do": {"memberOf": [{"id": "any", "type": "Action"}]}}}}
            """;

    private static final EntitiesReader BY_SCHEMA = EntitiesReader.by(Schema.parse(SCHEMA));

    private static RecordValue user(String attributes) {
        String json = "[{'uid':{'type':'User','id':'a'},'parents':[],'attrs':" + attributes + "}]";
        return BY_SCHEMA.read(json.replace('\'', '"')).get(0).attributes();
    }

    @Test
    void theSchemaTellsEntitiesAndExtensionsFromRecordsAndTexts() {
        assertEquals(
                "{\"all\": [User::\"c\"], \"friend\": User::\"b\", \"host\": {\"ip\":"
                        + " ip(\"10.0.0.0/8\")}, \"n\": 1, \"when\":"
                        + " (datetime(\"1970-01-01\")).offset(duration(\"0ms\"))}",
                user("{'n':1,'friend':{'type':'User','id':'b'},'host':{'ip':'10.0.0.0/8'},"
                                + "'when':{'fn':'datetime','arg':'1970-01-01'},"
                                + "'all':[{'__entity':{'type':'User','id':'c'}}]}")
                        .toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'n':'1'}",
                "{'n':1,'x':1}",
                "{'n':1,'friend':{'type':'Group','id':'b'}}",
                "{'n':1,'friend':'b'}",
                "{'n':1,'host':{}}",
                "{'n':1,'host':{'ip':'x'}}",
                "{'n':1,'host':{'ip':{'fn':'decimal','arg':'1.0'}}}",
                "{'n':1,'all':{'type':'User','id':'b'}}",
                "{'n':1,'all':[1]}"
            })
    void refusesAttributesThatDoNotFit(String attributes) {
        assertThrows(CedarFormatException.class, () -> user(attributes));
        assertEquals("{\"n\": 1}", user("{'n':1}").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'uid':{'type':'Nobody','id':'a'}}",
                "{'uid':{'type':'Level','id':'middle'}}",
                "{'uid':{'type':'Group','id':'a'},'tags':{'t':'x'}}",
                "{'uid':{'type':'User','id':'a'},'attrs':{'n':1},'tags':{'t':1}}",
                "{'uid':{'type':'User','id':'a'},'attrs':{'n':1},'parents':[{'type':'User','id':'b'}]}",
                "{'uid':{'type':'User','id':'a'},'attrs':{'n':1},'color':'red'}",
                "{'attrs':{}}"
            })
    void refusesEntitiesThatDoNotFit(String entity) {
        String json = "[" + entity.replace('\'', '"') + "]";
        assertThrows(CedarFormatException.class, () -> BY_SCHEMA.read(json));
    }

    @Test
    void readsContextsByTheAction() {
        EntityUid read = EntityUid.of("Action", "read");
        String by = "{\"by\":{\"type\":\"User\",\"id\":\"b\"}}";
        assertEquals(
                EntityUid.of("User", "b"), BY_SCHEMA.context(read, Json.parse(by, "x")).get("by"));
        assertThrows(
                CedarFormatException.class, () -> BY_SCHEMA.context(read, Json.parse("{}", "x")));
        EntityUid unknown = EntityUid.of("Action", "write");
        assertThrows(
                CedarFormatException.class, () -> BY_SCHEMA.context(unknown, Json.parse(by, "x")));
    }

    @Test
    void theSchemaGivesTheGroupsOfActions() {
        Map<EntityUid, Object> groups = new HashMap<>();
        Schema.parse(SCHEMA).actionEntities().forEach(a -> groups.put(a.uid(), a.parents()));
        EntityUid any = EntityUid.of("Action", "any");
        assertEquals(java.util.Set.of(any), groups.get(EntityUid.of("Action", "read")));
        assertEquals(java.util.Set.of(any), groups.get(EntityUid.of("NS::Action", "do")));
        assertEquals(java.util.Set.of(), groups.get(any));
    }

    @Test
    void refusesSchemasThatReferToThemselvesOrToNothing() {
        String loop =
                "{\"\":{\"commonTypes\":{\"A\":{\"type\":\"A\"}},\"entityTypes\":{\"U\":"
                        + "{\"shape\":{\"type\":\"A\"}}},\"actions\":{}}}";
        assertThrows(CedarFormatException.class, () -> Schema.parse(loop));
        assertThrows(
                CedarFormatException.class,
                () -> Schema.parse(loop.replace("{\"type\":\"A\"}", "{\"type\":\"B\"}")));
    }
}
