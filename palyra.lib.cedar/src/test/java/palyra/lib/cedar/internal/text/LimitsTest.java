package palyra.lib.cedar.internal.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;

final class LimitsTest {
    private final List<Diagnostic> problems = new ArrayList<>();

    private List<PolicyPiece> scan(String text) {
        problems.clear();
        return PolicyScanner.scan(new SourceText("f", text), PolicySetLimits.STANDARD, problems);
    }

    private static String when(String condition) {
        return "permit(principal, action, resource) when { " + condition + " };";
    }

    private void accepts(String condition) {
        scan(when(condition));
        assertEquals(List.of(), problems);
    }

    private void refuses(String condition, String why) {
        scan(when("true") + when(condition) + when("true"));
        assertEquals(1, problems.size(), problems.toString());
        assertTrue(problems.getFirst().message().contains(why), problems.toString());
        assertEquals("f#2", problems.getFirst().policyId());
    }

    @Test
    void limitsNesting() {
        accepts("(".repeat(49) + "1" + ")".repeat(49));
        refuses("(".repeat(50) + "1" + ")".repeat(50), "deep");
        refuses("[{a:(".repeat(17) + "1" + ")}]".repeat(17), "deep");
        refuses(")".repeat(60) + "(".repeat(51), "deep");
    }

    @Test
    void limitsHowDeepChainsNest() {
        accepts("1" + " + 1".repeat(150) + " == 1");
        accepts("true && a" + ".a".repeat(150) + " && b" + ".b".repeat(150));
        accepts("[" + ("a" + ".a".repeat(100) + ",").repeat(5) + "a]");
        refuses("1" + " + 1".repeat(250) + " == 1", "deep");
        refuses("a" + ".a".repeat(250), "deep");
        refuses("(a || (b && ".repeat(20) + "a" + ".a".repeat(150) + "))".repeat(20), "deep");
        refuses(
                "if true then ".repeat(60) + "1 + ".repeat(150) + "1" + " else 1".repeat(60),
                "deep");
    }

    @Test
    void conditionsAndAnnotationsSideBySideDoNotNest() {
        scan("@a(\"x\")\n".repeat(250) + when("a.b.c } when { ".repeat(120) + "a"));
        assertEquals(List.of(), problems);
    }

    @Test
    void stopsReadingOnePieceAfterTheMostThatASetMayHave() {
        scan(";".repeat(400_000));
        PolicySetLimits few = PolicySetLimits.STANDARD.withPolicies(10, 100, 10);

        assertEquals(PolicySetLimits.STANDARD.policies() + 1, scan(";".repeat(400_000)).size());
        assertEquals(
                11,
                PolicyScanner.scan(new SourceText("f", ";".repeat(400_000)), few, problems).size());
    }

    @Test
    void doesNotCountBracketsInStringsAndComments() {
        accepts("\"" + "(".repeat(100) + "\" == \"\\\"" + "(".repeat(100) + "\"");
        accepts("true // " + "(".repeat(100) + "\n");
    }

    @Test
    void aStringOrCommentHidesNothing() {
        refuses("\"\\\\\" == " + "(".repeat(51), "deep");
        refuses("1 // \"\n" + "(".repeat(51), "deep");
        refuses("1 // x\r" + "(".repeat(51), "deep");
        refuses("1 / / " + "(".repeat(51), "deep");
    }

    @Test
    void limitsOperatorsAndConditionals() {
        accepts("true" + " && true".repeat(990));
        refuses("true" + " && true".repeat(1_001), "operators");
        refuses("a" + ".a".repeat(1_001), "deep");
        refuses("a" + "[\"a\"]".repeat(1_001), "deep");
        refuses("true }" + " when { true ".repeat(1) + "} unless { true ".repeat(600), "operators");
        accepts("if true then ".repeat(90) + "1" + " else 1".repeat(90));
        refuses("if true then ".repeat(101) + "1" + " else 1".repeat(101), "ifs");
        refuses("[" + "1,".repeat(30_000) + "1]", "tokens");
    }

    @Test
    void limitsWhatShortFormsBecome() {
        accepts("principal has a.b.c.d && resource has a.b.c".repeat(1));
        accepts("true" + " && principal has a.b.c".repeat(150));
        accepts("(principal is User in User::\"a\") && (resource is Doc in Doc::\"a\")");
        accepts(nested(" has a.b)", 5));
        refuses(nested(" has a.b)", 30), "written out");
        refuses(nested(" has a.b.c.d.e)", 12), "written out");
        refuses(nested(" is User in User::\"a\")", 30), "written out");
        refuses("principal has a" + ".a".repeat(500), "deep");
        refuses("(" + "principal has a" + ".a".repeat(150) + ") == true", "written out");
    }

    @Test
    void countsEachCharacterOfAPattern() {
        accepts("a == \"" + "x".repeat(30_000) + "\"");
        accepts("a like \"" + "x".repeat(15_000) + "\"");
        refuses("a like \"" + "x".repeat(30_000) + "\"", "written out");
    }

    private static String nested(String form, int times) {
        return "(".repeat(times) + "principal" + form.repeat(times);
    }

    @Test
    void splitsAtSemicolonsOnly() {
        List<PolicyPiece> pieces =
                scan("// a;b\npermit(1);  @id(\";\") forbid(\"\\\";\") ; // x\n tail // y");
        assertEquals(
                List.of("permit(1);", "@id(\";\") forbid(\"\\\";\") ;", "tail"),
                pieces.stream().map(PolicyPiece::text).toList());
        assertEquals(List.of(), scan("// only a comment"));
        assertTrue(scan("permit(principal == ?principal);").getFirst().isTemplate());
        assertTrue(!scan("permit(\"?principal\"); // ?principal").getFirst().isTemplate());
    }

    @Test
    void decodesUtf8AndNothingElse() {
        assertEquals(
                "é😀",
                decode("é😀".getBytes(java.nio.charset.StandardCharsets.UTF_8)).get().text());
        assertTrue(decode(new byte[] {'a', '\n', 'b', (byte) 0xC0, (byte) 0x80}).isEmpty());
        assertEquals(
                List.of(2, 2), List.of(problems.getFirst().line(), problems.getFirst().column()));
        assertTrue(decode(new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}).isEmpty());
        assertTrue(decode(new byte[] {(byte) 0xF0, (byte) 0x9F}).isEmpty());
        assertTrue(decode(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'a'}).isEmpty());
        assertTrue(decode(new byte[101]).isEmpty());
        assertTrue(Decoder.decode(CedarFile.of("f", "a\ud83d b"), 100, problems).isEmpty());
        assertTrue(Decoder.decode(CedarFile.of("f", "\udc00\ud83d"), 100, problems).isEmpty());
    }

    private Optional<SourceText> decode(byte[] bytes) {
        problems.clear();
        return Decoder.decode(CedarFile.of("f", bytes), 100, problems);
    }

    @Test
    void shortensLongLinesAndHidesControlCharacters() {
        SourceText source =
                new SourceText("f", "x".repeat(5_000) + "\u001b[31m!" + "y".repeat(5_000));
        SourceText.Excerpt excerpt = source.excerpt(5_000, 5_001);
        assertTrue(excerpt.line().length() < 300, excerpt.line());
        assertEquals('\uFFFD', excerpt.line().charAt(excerpt.carets().indexOf('^')));
        assertEquals(1, excerpt.carets().chars().filter(c -> c == '^').count());
    }
}
