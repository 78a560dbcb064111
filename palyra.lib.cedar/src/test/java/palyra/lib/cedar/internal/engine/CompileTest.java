package palyra.lib.cedar.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.lib.cedar.internal.engine.Engines.ENGINE;
import static palyra.lib.cedar.internal.engine.Engines.compile;
import static palyra.lib.cedar.internal.engine.Engines.places;
import static palyra.lib.cedar.internal.engine.Engines.validate;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.CompiledPolicy;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.EntityRef;
import palyra.lib.cedar.TemplateLink;

final class CompileTest {
    private static final String TEMPLATE =
            "@id(\"t\") permit(principal == ?principal, action, resource);";

    @Test
    void findsSeveralSyntaxErrorsWithTheirPlaces() {
        String lines =
                """
                permit(principal, action, resource) when { princpal.a };
                permit(principal, action, resource);
                \tpermit(principal, action, resource) when { "é😀" == };
                forbid(principal, action, resource)"""
                        .strip();
        for (String lineEnd : List.of("\n", "\r\n", "\r")) {
            findsThem(compile(lines.replace("\n", lineEnd)));
        }
    }

    private static void findsThem(Compilation result) {
        assertFalse(result.ok());
        assertEquals(
                List.of(
                        "a.cedar:1:44+10 invalid member access `princpal.a`, `princpal` has no"
                                + " fields or methods",
                        "a.cedar:3:53+1 unexpected token `}`",
                        "a.cedar:4:36+0 unexpected end of input"),
                places(result.diagnostics()));
        assertTrue(result.policies().isEmpty() && result.json().isEmpty());
    }

    @Test
    void rendersTheLineWithCaretsAndHelp() {
        Diagnostic found =
                validate("permit(principal, action, resource)\n\twhen { \"😀\" == principal.nam };")
                        .diagnostics()
                        .getFirst();
        String expected =
                """
                a.cedar:2:16: error: attribute `nam` on entity type `User` not found
                  \twhen { "😀" == principal.nam };
                  \t              ^^^^^^^^^^^^^
                  help: did you mean `name`?""";
        assertEquals(expected, found.render());
        assertEquals("a.cedar#1", found.policyId());
        assertEquals(13, found.length());
    }

    @Test
    void validatesPoliciesThatParseBesideOnesThatDoNot() {
        assertEquals(
                List.of(
                        "a.cedar:1:46+1 unexpected token `;`",
                        "a.cedar:2:45+13 attribute `nam` on entity type `User` not found"),
                places(
                        validate(
                                        "permit(principal, action, resource); nonsense;\n"
                                                + " permit(principal, action, resource) when {"
                                                + " principal.nam == \"x\" };")
                                .diagnostics()));
    }

    @Test
    void reportsBadLiteralsAndImpossiblePolicies() {
        List<String> found =
                places(
                        validate(
                                        "permit(principal, action, resource) when { ip(\"x\") =="
                                                + " ip(\"1.1.1.1\") };\n"
                                                + "permit(principal, action, resource) when { false };")
                                .diagnostics());
        assertEquals(2, found.size(), found.toString());
        assertTrue(found.get(0).startsWith("a.cedar:1:44+7 "), found.get(0));
        assertTrue(found.get(1).startsWith("a.cedar:2:1+51 (warning) "), found.get(1));
    }

    @Test
    void warningsDoNotRefuse() {
        Compilation result = validate("permit(principal, action, resource) when { false };");
        assertTrue(result.ok());
        assertEquals(1, result.diagnostics().size());
        assertEquals(1, result.policies().size());
    }

    @Test
    void givesEachPolicyItsPlaceTextAnnotationsAndJson() {
        String commented = "permit(principal, action, resource);";
        Compilation result =
                compile(
                        "// "
                                + commented
                                + "\n  "
                                + commented
                                + " @id(\"two 😀\") @flag\nforbid(principal, action, resource)"
                                + " when { \"//\" == \"; }\\\"\" };");
        assertTrue(result.ok(), () -> places(result.diagnostics()).toString());
        CompiledPolicy first = result.policies().get(0);
        CompiledPolicy second = result.policies().get(1);
        assertEquals(2, result.policies().size());
        assertEquals(List.of("a.cedar#1", "", 2, 3, commented), shown(first));
        assertEquals(Map.of("id", "two 😀", "flag", ""), second.annotations());
        assertEquals("two 😀", second.name());
        assertEquals("a.cedar#2", second.id());
        assertEquals(List.of(2, 40), List.of(second.line(), second.column()));
        assertTrue(second.text().startsWith("@id(") && second.text().endsWith("};"));
        assertTrue(second.json().startsWith("{\"effect\":\"forbid\""), second.json());
        assertTrue(
                result.json().startsWith("{\"staticPolicies\":{\"a.cedar#1\":" + first.json()),
                result.json());
    }

    private static List<Object> shown(CompiledPolicy policy) {
        return List.of(policy.id(), policy.name(), policy.line(), policy.column(), policy.text());
    }

    @Test
    void linksTemplatesByNameOrId() {
        for (String template : List.of("t", "a.cedar#1")) {
            Compilation result =
                    link(
                            new TemplateLink(
                                    "l",
                                    template,
                                    Map.of("?principal", new EntityRef("A::B", "x\"y"))));
            assertTrue(result.ok(), () -> places(result.diagnostics()).toString());
            assertTrue(result.policies().getFirst().template());
            assertTrue(
                    result.json()
                            .endsWith(
                                    "\"templateLinks\":[{\"templateId\":\"a.cedar#1\",\"newId\":\"l\",\"values\":{\"?principal\":{\"__entity\":{\"type\":\"A::B\",\"id\":\"x\\\"y\"}}}}]}"),
                    result.json());
        }
    }

    @Test
    void refusesLinksThatDoNotFit() {
        Map<String, EntityRef> right = Map.of("?principal", new EntityRef("U", "x"));
        assertEquals(
                List.of("there is no template u"),
                messages(link(new TemplateLink("l", "u", right))));
        assertEquals(
                List.of("the template has the slots [?principal], the link fills []"),
                messages(link(new TemplateLink("l", "t", Map.of()))));
        assertEquals(
                List.of("U;U is not the name of an entity type"),
                messages(
                        link(
                                new TemplateLink(
                                        "l",
                                        "t",
                                        Map.of("?principal", new EntityRef("U;U", "x"))))));
        assertEquals(
                List.of("another policy or link has this id"),
                messages(link(new TemplateLink("a.cedar#1", "t", right))));
        assertEquals(
                List.of("another policy or link has this id"),
                messages(
                        link(
                                new TemplateLink("l", "t", right),
                                new TemplateLink("l", "t", right))));
    }

    private static Compilation link(TemplateLink... links) {
        return ENGINE.compile(
                CompileRequest.of(List.of(CedarFile.of("a.cedar", TEMPLATE)))
                        .withLinks(List.of(links)));
    }

    private static List<String> messages(Compilation result) {
        assertFalse(result.ok());
        return result.diagnostics().stream().map(Diagnostic::message).toList();
    }

    @Test
    void validatesWhatALinkMakesOfATemplate() {
        TemplateLink wrongType =
                new TemplateLink("l", "t", Map.of("?principal", new EntityRef("Doc", "x")));
        Compilation result =
                ENGINE.compile(
                        CompileRequest.of(List.of(CedarFile.of("a.cedar", TEMPLATE)))
                                .withSchema(Engines.schema())
                                .withLinks(List.of(wrongType)));
        assertTrue(
                result.diagnostics().stream().anyMatch(each -> each.policyId().equals("l")),
                () -> result.diagnostics().toString());
    }

    @Test
    void refusesTheSameIdTwiceAcrossFiles() {
        CedarFile one = CedarFile.of("one", "@id(\"x\") permit(principal, action, resource);");
        CedarFile two = CedarFile.of("two", "\n@id(\"x\") forbid(principal, action, resource);");
        assertEquals(
                List.of("two:2:1+1 the id x is taken by the policy at one:1"),
                places(ENGINE.compile(CompileRequest.of(List.of(one, two))).diagnostics()));
        CedarFile posing =
                CedarFile.of("two", "@id(\"one#1\") forbid(principal, action, resource);");
        assertFalse(ENGINE.compile(CompileRequest.of(List.of(one, posing))).ok());
        assertFalse(ENGINE.compile(CompileRequest.of(List.of(one, one))).ok());
    }

    @Test
    void ordersFindingsByFileAndReportsTheSchemaFirst() {
        CedarFile bad = CedarFile.of("b", "nonsense");
        CedarFile alsoBad = CedarFile.of("a", "nonsense");
        List<String> found =
                places(
                        ENGINE.compile(
                                        CompileRequest.of(List.of(bad, alsoBad))
                                                .withSchema(
                                                        CedarFile.of("s", "entity U { a: Nope };")))
                                .diagnostics());
        assertEquals(3, found.size(), found.toString());
        assertTrue(found.get(0).startsWith("s:1:15+4 failed to resolve type"), found.get(0));
        assertTrue(found.get(1).startsWith("b:1:9+0 "), found.get(1));
        assertTrue(found.get(2).startsWith("a:1:9+0 "), found.get(2));
    }

    @Test
    void limitsHowFarAPolicyFollowsReferences() {
        CompileRequest request =
                CompileRequest.of(
                                List.of(
                                        CedarFile.of(
                                                "a",
                                                "permit(principal, action, resource) when {"
                                                        + " principal.boss.boss.name == \"x\" };")))
                        .withSchema(Engines.schema());
        assertTrue(ENGINE.compile(request.withMaxLevel(3)).ok());
        assertEquals(
                List.of(
                        "a:1:44+24 this policy requires level 3, which exceeds the maximum allowed"
                                + " level (2)"),
                places(ENGINE.compile(request.withMaxLevel(2)).diagnostics()));
        assertThrows(IllegalArgumentException.class, () -> request.withMaxLevel(-1));
    }

    @Test
    void acceptsNothingAtAll() {
        Compilation result = ENGINE.compile(CompileRequest.of(List.of()));
        assertTrue(result.ok());
        assertEquals(
                "{\"staticPolicies\":{},\"templates\":{},\"templateLinks\":[]}", result.json());
    }

    @Test
    void takesAThousandPolicies() {
        Compilation result =
                validate(
                        "permit(principal, action, resource) when { context.hour > 3 };\n"
                                .repeat(1_000));
        assertTrue(result.ok());
        assertEquals("a.cedar#1000", result.policies().getLast().id());
        assertEquals(1_000, result.policies().getLast().line());
    }
}
