package palyra.sandbox.internal.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.egress.EgressProxies.AllowedHost;
import palyra.api.core.ops.Endpoint;
import palyra.api.core.ops.Ops;
import palyra.api.core.sandbox.SandboxSpec;
import palyra.api.core.tools.ConfinedResult;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tape.TapeEvent.Outcome;
import palyra.sandbox.internal.guard.Concern;
import palyra.shared.json.StrictJson;
import palyra.shared.tool.FactsDigest;

/** The tool that runs programs, with ordinary processes. */
@Timeout(300)
class ProcessRunToolTest {
    private static final String NAME = ProcessRunTool.NAME;

    @TempDir Path folder;
    private ProcessToolFixture fixture;
    private ProcessRunTool tool;

    @BeforeEach
    void open() {
        fixture = new ProcessToolFixture(folder, Map.of("outputBytes", 1_000_000L));
        tool = new ProcessRunTool(fixture.service);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private static String sh(String script) {
        return "{\"command\":\"sh\",\"args\":[\"-c\",\"" + script + "\"]}";
    }

    private ConfinedResult run(String json, Tier tier, Egress egress) throws Exception {
        return tool.run(ProcessToolFixture.order(NAME, "call-1", "run-1", json, tier, egress));
    }

    private ConfinedResult run(String json) throws Exception {
        return run(json, Tier.C, Egress.STRICT);
    }

    private static JsonNode output(ConfinedResult result) {
        return StrictJson.parse(result.result().outputJson(), "the output");
    }

    private void refused(ErrorCode code, String json, Tier tier, Egress egress) {
        PalyraException thrown = assertThrows(PalyraException.class, () -> run(json, tier, egress));
        assertEquals(code, thrown.code(), thrown.getMessage());
        assertEquals(0, fixture.tierB.starts.get() + fixture.tierC.starts.get());
        assertEquals(0, fixture.runner.running());
    }

    @Test
    void runsWhatWasOrderedInTheTierThatWasDecided() throws Exception {
        ConfinedResult result = run(sh("echo out; echo err >&2"), Tier.B, Egress.NONE);
        assertEquals(Outcome.SUCCEEDED, result.outcome());
        assertEquals("out\n", output(result).get("stdout").textValue());
        assertEquals("err\n", output(result).get("stderr").textValue());
        assertEquals(0, output(result).get("exit_code").intValue());
        assertEquals("fake_tier_b", result.executor());
        assertTrue(result.enforcement().startsWith("none "), result.enforcement());
        assertTrue(result.enforcement().endsWith(" canary=test"), result.enforcement());
        assertEquals("d1", result.executableSha256());
        assertEquals(0, fixture.tierC.starts.get());
    }

    @Test
    void exitCodeOtherThanZeroIsAnAnswerAndNoFailure() throws Exception {
        ConfinedResult result = run(sh("exit 7"));
        assertEquals(Outcome.SUCCEEDED, result.outcome());
        assertEquals(7, output(result).get("exit_code").intValue());
    }

    @Test
    void timeThatIsUpIsToldWithTheOutputSoFar() throws Exception {
        String json = sh("echo begun; sleep 600").replace("}", ",\"timeout_ms\":3000}");
        ConfinedResult result = run(json);
        assertEquals(Outcome.TIMED_OUT, result.outcome());
        assertFalse(result.result().success());
        assertEquals("begun\n", output(result).get("stdout").textValue());
    }

    @Test
    void endlessOutputIsNoReasonToEndACommand() throws Exception {
        fixture.close();
        fixture = new ProcessToolFixture(folder, Map.of("outputFileBytes", 300_000L));
        tool = new ProcessRunTool(fixture.service);
        ConfinedResult result = run("{\"command\":\"yes\",\"timeout_ms\":2000}");
        assertEquals(Outcome.TIMED_OUT, result.outcome());
        String error = result.result().error();
        assertTrue(error.contains("its time of 2000 ms was up"), error);
        assertTrue(error.contains("timeout_ms up to 120000"), error);
        assertTrue(error.contains("in the background"), error);
        String shown = output(result).get("stdout").textValue();
        assertTrue(shown.startsWith("y\ny\n") && shown.endsWith("y\ny\n"), shown);
        assertTrue(shown.length() < 31_000, "it shows " + shown.length());
        String file = output(result).get("stdout_file").textValue();
        assertTrue(shown.contains("the first 300000 bytes are in " + file), shown);
        assertEquals(300_000, Files.size(Path.of(file)));
    }

    @Test
    void allOfALongOutputIsInAFile() throws Exception {
        fixture.close();
        fixture = new ProcessToolFixture(folder, Map.of());
        tool = new ProcessRunTool(fixture.service);
        ConfinedResult result = run(sh("seq 1 100000; seq 5 >&2"));
        JsonNode output = output(result);
        String shown = output.get("stdout").textValue();
        assertTrue(shown.startsWith("1\n2\n") && shown.endsWith("\n100000\n"), shown);
        String file = output.get("stdout_file").textValue();
        assertTrue(shown.contains("all of it is in " + file), shown);
        List<String> lines = Files.readAllLines(Path.of(file));
        assertEquals(100_000, lines.size());
        long left = 100_000 - shown.lines().count() + 1;
        assertTrue(shown.contains(" " + left + " lines left out"), shown);
        assertEquals("1\n2\n3\n4\n5\n", output.get("stderr").textValue());
        assertFalse(output.has("stderr_file"));
    }

    @Test
    void binaryDataIsSaidAndKept() throws Exception {
        JsonNode output = output(run(sh("head -c 4096 /dev/urandom | tee data")));
        String shown = output.get("stdout").textValue();
        assertTrue(shown.startsWith("[binary data, 4096 bytes, not shown; all of it is in"), shown);
        assertEquals(
                -1,
                Files.mismatch(
                        folder.resolve("data"), Path.of(output.get("stdout_file").textValue())));
    }

    @Test
    void timeAboveTheLimitIsSaid() throws Exception {
        String json = sh("true").replace("}", ",\"timeout_ms\":3600000}");
        String note = output(run(json)).get("note").textValue();
        assertEquals("asked 3600000 ms, the limit is 120000 ms", note);
        assertFalse(output(run(sh("true"))).has("note"));
    }

    @Test
    void commandIsEndedAtTheUsualTimeUnlessItGivesOne() throws Exception {
        fixture.close();
        fixture = new ProcessToolFixture(folder, Map.of("defaultWallMillis", 1_500L));
        tool = new ProcessRunTool(fixture.service);
        assertEquals(Outcome.TIMED_OUT, run(sh("sleep 600")).outcome());
        String longer = sh("sleep 2").replace("}", ",\"timeout_ms\":60000}");
        assertEquals(Outcome.SUCCEEDED, run(longer).outcome());
    }

    @Test
    void outputThatGrowsInJsonStillFits() throws Exception {
        ConfinedResult result = run(sh("head -c 200000 /dev/zero; head -c 300000 /dev/zero >&2"));
        byte[] json = result.result().outputJson().getBytes(StandardCharsets.UTF_8);
        assertTrue(json.length <= 250_000, json.length + " bytes");
        assertTrue(output(result).get("stdout").textValue().contains("binary data, 200000 bytes"));
        ConfinedResult quotes = run(sh("head -c 200000 /dev/zero | tr '\\\\0' '\\\\042'"));
        json = quotes.result().outputJson().getBytes(StandardCharsets.UTF_8);
        assertTrue(json.length <= 250_000, json.length + " bytes");
        assertTrue(output(quotes).get("stdout").textValue().contains(" bytes, 0 lines left out"));
    }

    @Test
    void standardInputIsPassedOn() throws Exception {
        String json = "{\"command\":\"cat\",\"stdin\":\"h\u00e9\ud83d\ude00\"}";
        assertEquals("h\u00e9\ud83d\ude00", output(run(json)).get("stdout").textValue());
    }

    @Test
    void whatTheGuardRefusesIsNotStarted() {
        refused(ErrorCode.DENIED, "{\"command\":\"forbidden\"}", Tier.C, Egress.STRICT);
        ToolExamination seen =
                tool.examine(
                        new ToolProposed(NAME, "{\"command\":\"forbidden\"}", "", "", "agent"));
        assertEquals(
                "sandbox.command_not_allowed",
                assertInstanceOf(ToolExamination.Refused.class, seen).reasonCode());
    }

    @Test
    void unknownFieldsDoNothingAndAreTold() throws Exception {
        String plain = sh("echo $X");
        String more = plain.replaceFirst("\\{", "{\"env\":{\"X\":\"set\"},\"shell\":true,");
        JsonNode told = output(run(more));
        assertEquals("\n", told.get("stdout").textValue());
        assertTrue(
                told.get("note")
                        .textValue()
                        .startsWith("ignored unknown fields 'env', 'shell'; known fields: command"),
                told.toString());
        assertFalse(output(run(plain)).has("note"));
        assertEquals(
                tool.examine(new ToolProposed(NAME, plain, "", "", "agent")),
                tool.examine(new ToolProposed(NAME, more, "", "", "agent")));
    }

    @Test
    void inputThatIsNoGoodIsRefusedByNameOfTheField() {
        for (String json :
                List.of(
                        "{}",
                        "{\"command\":\"\"}",
                        "{\"command\":\"ls\",\"args\":\"-l\"}",
                        "{\"command\":\"ls\",\"args\":[1]}",
                        "{\"command\":\"ls\",\"timeout_ms\":0}",
                        "{\"command\":\"ls\",\"background\":1}",
                        "{\"command\":\"ls\",\"outlive_run\":1}",
                        "{\"command\":\"ls\",\"cwd\":\"a\",\"workdir\":\"b\"}",
                        "{\"command\":\"ls\",\"hosts\":[\"a:99999999\"]}")) {
            refused(ErrorCode.INVALID_ARGUMENT, json, Tier.C, Egress.STRICT);
            assertInstanceOf(
                    ToolExamination.Refused.class,
                    tool.examine(new ToolProposed(NAME, json, "", "", "agent")));
        }
    }

    @Test
    void callThatIsNotWhatWasDecidedOnIsNotStarted() throws Exception {
        String json = sh("echo x");
        ToolExamination.Facts facts =
                assertInstanceOf(
                        ToolExamination.Facts.class,
                        tool.examine(new ToolProposed(NAME, json, "", "", "agent")));
        ToolOrder order =
                ProcessToolFixture.order(
                        NAME,
                        "call-1",
                        "run-1",
                        "user:anna",
                        json,
                        Tier.C,
                        Egress.STRICT,
                        FactsDigest.of(facts.facts()));
        fixture.digest = "d2"; // the program was replaced after the decision
        PalyraException changed = assertThrows(PalyraException.class, () -> tool.run(order));
        assertEquals(ErrorCode.DENIED, changed.code());
        assertTrue(changed.getMessage().contains("has changed since it was decided"));
        assertEquals(0, fixture.tierC.starts.get());
        fixture.digest = "d1";
        assertEquals(Outcome.SUCCEEDED, tool.run(order).outcome());
    }

    @Test
    void hostsAreAskedAboutBeforeTheStart() throws Exception {
        fixture.hosts = Set.of("good.test", "bad.test");
        fixture.access.allowing(request -> !request.resource().equals("host:bad.test"));
        refused(ErrorCode.DENIED, sh("true"), Tier.B, Egress.PREFLIGHT);
        refused(ErrorCode.DENIED, sh("true"), Tier.C, Egress.PREFLIGHT);
        refused(
                ErrorCode.DENIED,
                "{\"command\":\"true\",\"hosts\":[\"bad.test\"]}",
                Tier.C,
                Egress.STRICT);
        fixture.access.allowing(request -> true);
        fixture.access.forgetCalls();
        assertEquals(Outcome.SUCCEEDED, run(sh("true"), Tier.B, Egress.PREFLIGHT).outcome());
        assertEquals(2, fixture.access.requests().size());
        assertEquals("network.connect", fixture.access.requests().get(0).action());
        assertEquals("443", fixture.access.requests().get(0).facts().get("port"));
        fixture.access.allowing(request -> !request.resource().equals("host:bad.test"));
        assertEquals(Outcome.SUCCEEDED, run(sh("true"), Tier.B, Egress.NONE).outcome());
    }

    /** A text of a script that looks like a URL; there is no network that it could reach. */
    @Test
    void hostsThatArgumentsOnlySeemToNameAreNotAskedAboutWhereNothingIsInReach() throws Exception {
        fixture.hosts = Set.of("bad.test");
        fixture.access.allowing(request -> false);
        assertEquals(Outcome.SUCCEEDED, run(sh("true"), Tier.C, Egress.STRICT).outcome());
        assertEquals(0, fixture.access.requests().size());
    }

    @Test
    void whatASandboxHoldsIsNotRefusedByItsLook() throws Exception {
        for (Concern.Kind kind : Concern.Kind.values()) {
            fixture.concerns = List.of(new Concern(kind, "sandbox.seen", "It looks odd."));
            assertEquals(Outcome.SUCCEEDED, run(sh("true"), Tier.C, Egress.STRICT).outcome());
        }
        fixture.concerns = List.of(new Concern(Concern.Kind.OUTSIDE, "sandbox.seen", "Odd."));
        assertEquals(Outcome.SUCCEEDED, run(sh("true"), Tier.B, Egress.NONE).outcome());
    }

    @Test
    void whatNoSandboxOfTheDecisionHoldsIsRefusedBeforeTheStart() {
        fixture.concerns = List.of(new Concern(Concern.Kind.PROTECTED, "sandbox.seen", "Odd."));
        refused(ErrorCode.DENIED, sh("true"), Tier.B, Egress.STRICT);
        fixture.concerns = List.of(new Concern(Concern.Kind.INTERPRETER, "sandbox.seen", "Odd."));
        refused(ErrorCode.DENIED, sh("true"), Tier.B, Egress.STRICT);
        refused(ErrorCode.DENIED, sh("true"), Tier.C, Egress.PREFLIGHT);
        refused(ErrorCode.DENIED, sh("true"), Tier.C, Egress.NONE);
    }

    @Test
    void withoutPolicyNothingThatNamesHostsStarts() {
        fixture.hosts = Set.of("good.test");
        fixture.accessGate.remove(fixture.policy);
        refused(ErrorCode.POLICY_UNAVAILABLE, sh("true"), Tier.C, Egress.PREFLIGHT);
        refused(ErrorCode.POLICY_UNAVAILABLE, sh("true"), Tier.B, Egress.PREFLIGHT);
    }

    @Test
    void nobodysCommandReachesNoHost() {
        fixture.hosts = Set.of("good.test");
        ToolOrder order =
                ProcessToolFixture.order(
                        NAME, "c", "r", "", sh("true"), Tier.C, Egress.PREFLIGHT, "");
        assertEquals(
                ErrorCode.DENIED,
                assertThrows(PalyraException.class, () -> tool.run(order)).code());
        assertEquals(0, fixture.tierC.starts.get());
    }

    @Test
    void strictWithHostsOpensAProxyForExactlyThose() throws Exception {
        String json = "{\"command\":\"true\",\"hosts\":[\"b.test:8443\",\"a.test\"]}";
        assertEquals(Outcome.SUCCEEDED, run(json).outcome());
        assertEquals(
                List.of(new AllowedHost("a.test", 443), new AllowedHost("b.test", 8443)),
                fixture.opened.get(0));
        assertTrue(fixture.proxies.get(0).closed, "the proxy was left open");
        assertEquals("/tmp/e", spec().proxyFolder().orElseThrow());
    }

    @Test
    void theLoopbackOfTheHostIsReachedByTheProxyOnlyWhereItIsNamed() throws Exception {
        run("{\"command\":\"true\",\"hosts\":[\"a.test\"]}");
        assertFalse(spec().environment().containsKey("NO_PROXY"));
        run("{\"command\":\"true\",\"hosts\":[\"localhost:8443\"]}");
        assertEquals("", fixture.tierC.specs.get(1).environment().get("NO_PROXY"));
    }

    @Test
    void aWrongTimeIsToldWithItsUnit() {
        PalyraException thrown =
                assertThrows(
                        PalyraException.class,
                        () -> run("{\"command\":\"ls\",\"timeout_ms\":\"60s\"}"));
        assertEquals(ErrorCode.INVALID_ARGUMENT, thrown.code());
        assertTrue(thrown.getMessage().contains("such as 60000 for a minute"), thrown.getMessage());
        assertFalse(thrown.getMessage().contains("86400000"), thrown.getMessage());
    }

    @Test
    void otherAgentsNamesOfFieldsAreKnown() throws Exception {
        ConfinedResult ended = run("{\"command\":\"sleep\",\"args\":[\"600\"],\"timeout\":1500}");
        assertEquals(Outcome.TIMED_OUT, ended.outcome());
        ConfinedResult started =
                run("{\"command\":\"sleep\",\"args\":[\"600\"],\"run_in_background\":true}");
        assertEquals("running", output(started).get("state").textValue());
    }

    /** Git says it as if the disk were at fault, and goes on with the rest. */
    @Test
    void whatCouldNotBeWrittenForItsProtectionIsTold() throws Exception {
        Files.createDirectory(fixture.folder.resolve(".vscode"));
        String says = "echo unlink of %s: Read-only file system >&2";
        String note = output(run(sh(says.formatted(".vscode/x")))).path("note").asText();
        assertTrue(note.contains(".vscode") && note.contains("protected_paths"), note);
        assertFalse(output(run(sh(says.formatted("/etc/x")))).has("note"));
        assertFalse(output(run(sh(says.formatted(".mcp.json")))).has("note"), "it is not there");
    }

    /** Names that cannot be resolved look like a fault of the host. */
    @Test
    void whyTheNetworkWasNotReachedIsToldOfAFailedCall() throws Exception {
        String fails = sh("echo getaddrinfo EAI_AGAIN registry.example >&2; exit 1");
        String none = output(run(fails)).path("note").asText();
        assertTrue(none.startsWith("This command had no network. Name the hosts"), none);
        assertTrue(none.endsWith("set session to true."), none);
        String hosts = fails.substring(0, fails.length() - 1) + ",\"hosts\":[\"a.test\"]}";
        String proxy = output(run(hosts)).path("note").asText();
        assertTrue(proxy.startsWith("Hosts are reached by the proxy in HTTPS_PROXY"), proxy);
        assertTrue(proxy.contains("$PALYRA_JAVA_OPTIONS"), proxy);
        assertFalse(output(run(fails, Tier.C, Egress.NONE)).has("note"), "it had a network");
        assertFalse(output(run(sh("echo EAI_AGAIN"))).has("note"), "it succeeded");
        assertFalse(output(run(sh("echo other >&2; exit 1"))).has("note"));
    }

    /** The proxy is for http and https, so that an address of the other kind never works. */
    @Test
    void aHostThatWasWantedBySshIsNamedWithTheOtherAddress() throws Exception {
        String fails =
                sh(
                        "echo 'ssh: Could not resolve hostname git.example: Temporary failure in"
                                + " name resolution' >&2; exit 128");
        JsonNode told = output(run(fails));
        assertEquals(
                "The command says that ssh did not reach git.example: ssh does not go by the proxy,"
                        + " which leads to hosts by http and https. Take https://git.example/… in"
                        + " place of ssh:// and git@git.example:, with git.example in hosts unless"
                        + " it is reached anyway.",
                told.path("note").asText());
        assertFalse(told.has("blocked_hosts"), "any command can say so of any host: " + told);
        String refused = "echo 'ssh: connect to host git.example port 22: refused' >&2; exit 1";
        assertTrue(output(run(sh(refused))).path("note").asText().contains("https://git.example/"));
        assertFalse(output(run(fails, Tier.C, Egress.NONE)).has("note"), "it had a network");
    }

    @Test
    void aFileThatGrewToItsLimitIsTold() throws Exception {
        String note = output(run(sh("kill -25 $$"))).path("note").asText();
        assertTrue(note.contains("a file of it grew to the limit of 2.0 GiB."), note);
        assertFalse(output(run(sh("exit 152"))).has("note"));
    }

    private SandboxSpec spec() {
        synchronized (fixture.tierC.specs) {
            return fixture.tierC.specs.get(0);
        }
    }

    @Test
    void proxyIsClosedWhenNothingStarts() {
        fixture.tierC.check = new PalyraException(ErrorCode.TOOL_UNAVAILABLE, "replaced");
        refused(
                ErrorCode.TOOL_UNAVAILABLE,
                "{\"command\":\"true\",\"hosts\":[\"a.test\"]}",
                Tier.C,
                Egress.STRICT);
        assertTrue(fixture.proxies.get(0).closed);
    }

    @Test
    void tierBHasNoAllowListAndSaysSo() {
        refused(
                ErrorCode.DENIED,
                "{\"command\":\"true\",\"hosts\":[\"a.test\"]}",
                Tier.B,
                Egress.STRICT);
    }

    @Test
    void tierOfSkillsRunsNoProgram() {
        refused(ErrorCode.DENIED, sh("true"), Tier.A, Egress.STRICT);
    }

    @Test
    void ownPortsAndProtectedPathsReachTheSandbox() throws Exception {
        Endpoint endpoint = new Endpoint() {};
        fixture.ports.put(endpoint, Map.of(Ops.ENDPOINT_URI, "http://127.0.0.1:7142"));
        run(sh("true"));
        assertEquals(Set.of(7142), spec().forbiddenPorts());
        assertTrue(spec().protectedPaths().contains(".vscode"));
        assertTrue(
                spec().environment().keySet().stream().allMatch(name -> name.startsWith("GIT_")),
                spec().environment().toString());
        fixture.ports.put(endpoint, Map.of());
        assertEquals(Set.of(7142), fixture.ports.all(), "a port that went stays forbidden");
    }

    @Test
    void protectedPathsOfACallArePathsWithinTheWorkspace() throws Exception {
        String json = "{\"command\":\"true\",\"protected_paths\":[\"%s\"]}";
        for (String bad :
                List.of("/etc", "../x", "a/../b", "./.vscode", ".", "", "a//b", "a\\u0000")) {
            PalyraException thrown =
                    assertThrows(PalyraException.class, () -> run(json.formatted(bad)), bad);
            assertEquals(ErrorCode.INVALID_ARGUMENT, thrown.code());
            String message = thrown.getMessage();
            assertTrue(message.contains("protected_paths") && message.contains(".vscode"), message);
        }
        String many = String.join("\",\"", Collections.nCopies(33, ".vscode"));
        refused(ErrorCode.INVALID_ARGUMENT, json.formatted(many), Tier.C, Egress.STRICT);
        run(json.formatted(".vscode/\",\".mcp.json"));
        assertEquals(Set.of(".vscode", ".mcp.json"), fixture.protectedPaths);
    }

    /** A yes to a session, or of policy alone, is not one to what the path is for. */
    @Test
    void aProtectedPathIsWritableForTheCommandThatAPersonAllowedToWriteIt() throws Exception {
        fixture.written = Set.of(fixture.folder.resolve(".mcp.json").toString());
        List<String> all = protectedFrom(true);
        assertTrue(all.containsAll(List.of(".mcp.json", ".vscode")), "it may, but is not known to");
        fixture.concerns =
                List.of(
                        new Concern(
                                Concern.Kind.PROTECTED,
                                "sandbox.path_protected",
                                "It.",
                                Set.of(fixture.folder.resolve(".mcp.json").toString())));
        fixture.written = Set.of();
        assertEquals(all, protectedFrom(false));
        List<String> kept = protectedFrom(true);
        assertFalse(kept.contains(".mcp.json"), kept.toString());
        assertTrue(kept.contains(".vscode"), kept.toString());
        ToolOrder tierB = allowed(order("call-b", Tier.B));
        assertEquals(Outcome.SUCCEEDED, tool.run(tierB).outcome());
    }

    private static ToolOrder order(String callId, Tier tier) {
        return ProcessToolFixture.order(NAME, callId, "run-1", sh("true"), tier, Egress.STRICT);
    }

    private List<String> protectedFrom(boolean allowed) throws Exception {
        synchronized (fixture.tierC.specs) {
            fixture.tierC.specs.clear();
        }
        ToolOrder order = order("call-" + fixture.concerns.size() + allowed, Tier.C);
        tool.run(allowed ? allowed(order) : order);
        return spec().protectedPaths();
    }

    private static ToolOrder allowed(ToolOrder order) {
        return new ToolOrder(
                order.toolName(),
                order.invocation(),
                order.agentId(),
                order.groups(),
                order.confinement(),
                order.factsSha256(),
                true);
    }

    @Test
    void callIdThatNoSandboxTakesIsReplaced() throws Exception {
        tool.run(
                ProcessToolFixture.order(
                        NAME, "run/1:2", "run-1", sh("true"), Tier.C, Egress.STRICT));
        assertTrue(spec().callId().matches("c-[0-9a-f]{40}"), spec().callId());
    }

    @Test
    void withoutAnOrderNothingRuns() {
        ToolOrder order =
                ProcessToolFixture.order(NAME, "c", "r", sh("true"), Tier.C, Egress.STRICT);
        assertEquals(
                ErrorCode.DENIED,
                assertThrows(PalyraException.class, () -> tool.execute(order.invocation())).code());
    }

    private ToolExamination.Facts bound(String json, String since) {
        ToolProposed proposed = new ToolProposed(NAME, json, "", "", "agent");
        return assertInstanceOf(
                ToolExamination.Facts.class, tool.examine(proposed.inWorkspace(since)));
    }

    private ConfinedResult runBound(String json, ToolExamination.Facts decided) throws Exception {
        return tool.run(
                ProcessToolFixture.order(
                        NAME,
                        "call-1",
                        "run-1",
                        "user:anna",
                        json,
                        Tier.C,
                        Egress.STRICT,
                        FactsDigest.of(decided.facts())));
    }

    @Test
    void runsInTheWorkspaceThatTheAnswerIsBoundTo() throws Exception {
        Files.writeString(folder.resolve("Makefile"), "all: good");
        String json = sh("cat Makefile");
        ToolExamination.Facts decided = bound(json, "");
        assertTrue(decided.facts().workspace().known());
        assertEquals(List.of(), decided.description().workspaceNotes());
        assertEquals("all: good", output(runBound(json, decided)).get("stdout").textValue());
    }

    @Test
    void startsNothingWhenAFileChangedAfterTheAnswer() throws Exception {
        Path file = Files.writeString(folder.resolve("Makefile"), "all: good");
        FileTime before = Files.getLastModifiedTime(file);
        String json = sh("cat Makefile");
        ToolExamination.Facts decided = bound(json, "");
        Files.writeString(file, "all: evil"); // as long as before
        Files.setLastModifiedTime(file, before);
        PalyraException thrown = assertThrows(PalyraException.class, () -> runBound(json, decided));
        assertEquals(ErrorCode.DENIED, thrown.code());
        assertEquals(0, fixture.tierC.starts.get());
        assertEquals(
                List.of("changed: Makefile"),
                bound(json, decided.facts().workspace().sha256()).description().workspaceNotes());
    }

    @Test
    void startsNothingWhileSomethingRunsThereThatNobodyWasShown() throws Exception {
        String json = sh("true");
        ToolExamination.Facts decided = bound(json, "");
        ProcessStartTool starter = new ProcessStartTool(fixture.service);
        starter.run(
                ProcessToolFixture.order(
                        ProcessStartTool.NAME,
                        "call-0",
                        "run-0",
                        "{\"command\":\"sleep\",\"args\":[\"600\"]}",
                        Tier.C,
                        Egress.STRICT));
        PalyraException thrown = assertThrows(PalyraException.class, () -> runBound(json, decided));
        assertEquals(ErrorCode.DENIED, thrown.code());
        ToolExamination.Facts shown = bound(json, "");
        String note = shown.description().workspaceNotes().get(0);
        assertTrue(note.startsWith("running: ") && note.endsWith("sleep 600"), note);
        assertEquals(Outcome.SUCCEEDED, runBound(json, shown).outcome());
    }

    @Test
    void refusesToBindAnAnswerToMoreFilesThanAreRead() throws Exception {
        fixture.close();
        fixture = new ProcessToolFixture(folder, Map.of("approvalMaxFiles", 2));
        tool = new ProcessRunTool(fixture.service);
        for (int i = 0; i < 3; i++) {
            Files.writeString(folder.resolve("f" + i), "");
        }
        ToolProposed proposed = new ToolProposed(NAME, sh("true"), "", "", "agent");
        ToolExamination.Refused refused =
                assertInstanceOf(
                        ToolExamination.Refused.class, tool.examine(proposed.inWorkspace("")));
        assertTrue(refused.reason().contains("more than 2"), refused.reason());
        assertInstanceOf(ToolExamination.Facts.class, tool.examine(proposed));
    }
}
