package palyra.policy.internal.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.policy.internal.conformance.Corpus.request;
import static palyra.policy.internal.conformance.Corpus.test;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.policy.internal.conformance.Corpus.Result;

final class ConformanceTest {
    private static final String ONE = "corpus/one.json";

    @TempDir private Path folder;

    private Result run(String... requests) throws IOException {
        return Corpus.run(new Corpus().with(ONE, test("true", requests)).into(folder));
    }

    private static void fails(Result result, String counts, String... lines) {
        assertEquals(Conformance.FAILED, result.exit(), result.toString());
        List<String> said = result.out().lines().toList();
        assertEquals(counts, said.get(said.size() - 1));
        assertEquals(List.of(lines), said.subList(0, said.size() - 1));
    }

    private static void refuses(Result result, String because) {
        assertEquals(Conformance.UNUSABLE, result.exit(), result.toString());
        assertTrue(result.err().contains(because), result.toString());
        assertEquals(1, result.err().lines().count(), result.err());
        assertEquals("", result.out());
    }

    @Test
    void passesWhatIsRight() throws Exception {
        Result result =
                run(
                        request("read", 0, "allow", "policy0 policy2", ""),
                        request("read", 1, "allow", "policy0", "policy2"),
                        request("write", 0, "allow", "policy2", ""),
                        request("write", 5, "deny", "policy1", "policy2"),
                        request("write", 1, "deny", "", "policy2"));
        assertEquals(new Result(0, "5 passed, 0 failed\n", ""), result);
    }

    @Test
    void tellsOfAWrongDecision() throws Exception {
        fails(
                run(
                        request("read", 1, "allow", "policy0", "policy2"),
                        request("read", 5, "allow", "policy0", "policy2")),
                "1 passed, 1 failed",
                "FAILED corpus/one.json, request 2 (bob read): expected allow by [policy0], errors"
                        + " in [policy2]; found deny by [policy1], errors in [policy2] from both"
                        + " engines");
    }

    @Test
    void tellsOfAWrongReason() throws Exception {
        fails(
                run(request("read", 0, "allow", "policy0", "")),
                "0 passed, 1 failed",
                "FAILED corpus/one.json, request 1 (bob read): expected allow by [policy0]; found"
                        + " allow by [policy0, policy2] from both engines");
    }

    @Test
    void tellsOfAMissingError() throws Exception {
        fails(
                run(request("read", 1, "allow", "policy0", "")),
                "0 passed, 1 failed",
                "FAILED corpus/one.json, request 1 (bob read): expected allow by [policy0]; found"
                        + " allow by [policy0], errors in [policy2] from both engines");
    }

    @Test
    void aWrongVerdictOfTheValidatorFailsEveryRequestOfItsTest() throws Exception {
        Corpus corpus = new Corpus();
        String right = request("read", 1, "allow", "policy0", "policy2");
        corpus.with(ONE, test("false", right, right));
        corpus.with("corpus/two.json", test("true", right));
        fails(
                Corpus.run(corpus.into(folder)),
                "1 passed, 2 failed",
                "FAILED corpus/one.json, validation, and with it every request: expected that the"
                        + " policies do not fit the schema; found that they do");
    }

    @Test
    void aWrongVerdictCountsWithoutRequests() throws Exception {
        Corpus corpus = new Corpus().with(ONE, test("false"));
        Result result = Corpus.run(corpus.into(folder));
        assertTrue(result.out().endsWith("\n0 passed, 1 failed\n"), result.out());
    }

    @Test
    void asksPoliciesThatDoNotFitTheSchema() throws Exception {
        Corpus corpus = new Corpus();
        corpus.with(
                "corpus/one.cedar",
                Corpus.POLICIES
                        + "permit (principal, action, resource)"
                        + " when { context.nonsense };");
        String right = request("write", 0, "allow", "policy2", "policy3");
        corpus.with(ONE, test("false", right));
        assertEquals(new Result(0, "1 passed, 0 failed\n", ""), Corpus.run(corpus.into(folder)));
        corpus.with(ONE, test("true", right));
        Result result = Corpus.run(corpus.into(folder));
        assertEquals(1, result.exit());
        assertTrue(result.out().contains("found that they do not: line 5, column "), result.out());
    }

    @Test
    void policiesThatDoNotParseFailEveryRequest() throws Exception {
        Corpus corpus = new Corpus().with("corpus/one.cedar", "permit (principal, action");
        Result result = Corpus.run(corpus.into(folder));
        assertEquals(1, result.exit());
        String first = "FAILED corpus/one.json: every request failed: its policies are refused: ";
        assertTrue(result.out().startsWith(first), result.out());
        assertTrue(result.out().endsWith("\n0 passed, 1 failed\n"), result.out());
    }

    @Test
    void aRequestThatDoesNotFitTheSchemaIsNoPass() throws Exception {
        String unknown = request("fly", 0, "deny", "", "");
        Result result = run(unknown);
        assertEquals(1, result.exit());
        assertTrue(result.out().contains("no decision: "), result.out());
    }

    /** The native engine as it is, but what it decides is changed. */
    private static Cedar lying() {
        return (Cedar)
                proxy(
                        Cedar.class,
                        Corpus.CEDAR,
                        result ->
                                result instanceof PreparedPolicySet set
                                        ? proxy(PreparedPolicySet.class, set, ConformanceTest::lie)
                                        : result);
    }

    private static Object lie(Object result) {
        return result instanceof CedarDecision truth
                ? new CedarDecision(!truth.allowed(), List.of(), truth.errors())
                : result;
    }

    private interface Change {
        Object of(Object result);
    }

    private static Object proxy(Class<?> type, Object target, Change change) {
        return Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> {
                    try {
                        return change.of(method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void oneEngineAloneCanFail() throws Exception {
        Corpus corpus =
                new Corpus().with(ONE, test("true", request("write", 0, "allow", "policy2", "")));
        fails(
                Corpus.run(lying(), corpus.into(folder)),
                "0 passed, 1 failed",
                "FAILED corpus/one.json, request 1 (bob write): expected allow by [policy2]; found"
                        + " allow by [policy2] from the compiled evaluator, deny by [] from the"
                        + " native engine");
    }

    @Test
    void refusesWhatIsNotThere() {
        refuses(Corpus.run(folder.resolve("nowhere")), "There is no folder or archive");
    }

    @Test
    void refusesAFolderWithoutTests() throws Exception {
        Corpus corpus = new Corpus().without(ONE).with("notes.json", "[]").with("x.json", "{}");
        refuses(Corpus.run(corpus.into(folder)), "holds no test");
    }

    @Test
    void refusesBrokenJson() throws Exception {
        refuses(
                Corpus.run(new Corpus().with(ONE, "{\"policies\": ").into(folder)),
                "corpus/one.json is not valid JSON");
        String twice = test("true").replace("\"requests\"", "\"policies\": \"x\", \"requests\"");
        refuses(
                Corpus.run(new Corpus().with(ONE, twice).into(folder)),
                "corpus/one.json is not valid JSON: Duplicate");
    }

    @Test
    void refusesTestsThatLackSomething() throws Exception {
        String request = request("read", 1, "allow", "policy0", "policy2");
        for (String key :
                List.of("decision", "reason", "errors", "principal", "resource", "context")) {
            String without = request.replace("\"" + key + "\"", "\"x" + key + "\"");
            refuses(
                    Corpus.run(new Corpus().with(ONE, test("true", without)).into(folder)),
                    "corpus/one.json, request 1: the key \"" + key + "\" is missing");
        }
        refuses(
                Corpus.run(
                        new Corpus()
                                .with(ONE, test("true", request.replace("allow", "maybe")))
                                .into(folder)),
                "it is allow or deny");
        refuses(Corpus.run(new Corpus().with(ONE, test("1")).into(folder)), "true or false");
    }

    @Test
    void refusesReferencesToNothing() throws Exception {
        refuses(
                Corpus.run(new Corpus().without("corpus/one.cedar").into(folder)),
                "names corpus/one.cedar as its policies, and there is no such file");
    }

    @Test
    void refusesBytesThatAreNoText() throws Exception {
        Path place = new Corpus().into(folder);
        Files.write(folder.resolve("corpus/one.cedar"), new byte[] {'/', '/', (byte) 0xff});
        refuses(Corpus.run(place), "not valid UTF-8");
    }

    @Test
    void refusesWhatItMayNotRead() throws Exception {
        Path place = new Corpus().into(folder);
        Path closed = folder.resolve("corpus/one.json");
        Files.delete(closed);
        // A file that can be opened and whose beginning nobody can read, not even root.
        Files.createSymbolicLink(closed, Path.of("/proc/self/mem"));
        refuses(Corpus.run(place), "cannot be read");
    }

    @Test
    void findsFilesFromAFolderBelowTheOneThatTheyAreNamedFrom() throws Exception {
        new Corpus().into(folder);
        String reads = request("read", 1, "allow", "policy0", "policy2");
        Files.writeString(folder.resolve(ONE), test("true", reads));
        assertEquals(0, Corpus.run(folder.resolve("corpus")).exit());
    }

    @Test
    void saysSoWithoutTheNativeEngine() throws Exception {
        Cedar absent =
                (Cedar)
                        proxy(
                                Cedar.class,
                                Corpus.CEDAR,
                                result ->
                                        result instanceof palyra.lib.cedar.CedarStatus
                                                ? new palyra.lib.cedar.CedarStatus(
                                                        false, "There is none.", "", 0, 0, 0)
                                                : result);
        refuses(Corpus.run(absent, new Corpus().into(folder)), "There is none.");
    }
}
