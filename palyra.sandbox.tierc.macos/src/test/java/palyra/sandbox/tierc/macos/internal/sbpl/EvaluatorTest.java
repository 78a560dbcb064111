package palyra.sandbox.tierc.macos.internal.sbpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvaluatorTest {
    private static final String HEAD = "(version 1)\n(deny default)\n";

    private static Evaluator of(String rules) {
        return new Evaluator(HEAD + rules, Map.of("WS", "/a(b"));
    }

    @Test
    void lastMatchingRuleWins() {
        Query read = Query.file("file-read-data", "/x/y");
        assertFalse(of("").allows(read));
        assertTrue(of("(allow file-read* (subpath \"/x\"))").allows(read));
        assertFalse(
                of("(allow file-read* (literal \"/x/y\")) (deny file-read* (subpath \"/x\"))")
                        .allows(read));
        assertTrue(
                of("(deny file-read* (literal \"/x/y\")) (allow file-read* (subpath \"/x\"))")
                        .allows(read));
    }

    @Test
    void subpathEndsAtANameAndLiteralIsTheWholePath() {
        Evaluator subpath = of("(allow file-read* (subpath \"/x\"))");
        assertTrue(subpath.allows(Query.file("file-read-data", "/x")));
        assertFalse(subpath.allows(Query.file("file-read-data", "/xy")));
        Evaluator literal = of("(allow file-read* (literal \"/x\"))");
        assertFalse(literal.allows(Query.file("file-read-data", "/x/y")));
    }

    @Test
    void ancestorsAreFoldersAboveOnly() {
        Evaluator evaluator = of("(allow file-read-metadata (path-ancestors \"/x/y/z\"))");
        assertTrue(evaluator.allows(Query.file("file-read-metadata", "/")));
        assertTrue(evaluator.allows(Query.file("file-read-metadata", "/x/y")));
        assertFalse(evaluator.allows(Query.file("file-read-metadata", "/x/y/z")));
        assertFalse(evaluator.allows(Query.file("file-read-metadata", "/x/q")));
        assertFalse(evaluator.allows(Query.file("file-read-data", "/x")));
    }

    @Test
    void combinedFiltersNeedAllAnyOrNone() {
        Evaluator all =
                of("(allow file-write-data (require-all (literal \"/n\") (vnode-type FIFO)))");
        assertTrue(all.allows(Query.node("file-write-data", "/n", "FIFO")));
        assertFalse(all.allows(Query.file("file-write-data", "/n")));
        Evaluator not = of("(allow file-write-data (require-not (subpath \"/n\")))");
        assertFalse(not.allows(Query.file("file-write-data", "/n/x")));
        assertTrue(not.allows(Query.file("file-write-data", "/m")));
    }

    @Test
    void stringsAreBuiltFromParametersAndQuotedForExpressions() {
        Evaluator evaluator =
                of(
                        "(allow file-read* (regex (string-append \"^\" (regex-quote (param \"WS\"))"
                                + " \"/[gG](/|$)\")))");
        assertTrue(evaluator.allows(Query.file("file-read-data", "/a(b/G/h")));
        assertFalse(evaluator.allows(Query.file("file-read-data", "/a(b/Gh")));
        assertEquals(Set.of("WS"), evaluator.used());
    }

    @Test
    void addressesAreHostsAndPorts() {
        Evaluator evaluator = of("(allow network-outbound (remote ip \"localhost:80\"))");
        assertTrue(evaluator.allows(Query.connect("localhost:80")));
        assertFalse(evaluator.allows(Query.connect("localhost:81")));
        assertFalse(evaluator.allows(Query.connect("192.0.2.1:80")));
        assertFalse(evaluator.allows(Query.unix("/x")));
    }

    @Test
    void refusesUnbalancedAndUnknown() {
        for (String wrong :
                new String[] {
                    "(allow file-read* (subpath \"/\")",
                    "(allow file-read*))",
                    "(allow file-reed*)",
                    "(allow file-read* (path \"/\") (sbpath \"/\"))",
                    "(allow file-read* (subpath (param \"NONE\")))",
                    "(allow network-outbound (remote ip \"127.0.0.1:80\"))",
                    "(allow signal (target friends))",
                    "(allow file-read* (literal \"/))",
                    "(permit file-read*)",
                }) {
            assertThrows(IllegalArgumentException.class, () -> of(wrong), wrong);
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> new Evaluator("(version 1) (allow default)", Map.of()));
    }
}
