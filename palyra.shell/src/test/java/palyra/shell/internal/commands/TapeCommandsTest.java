package palyra.shell.internal.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.shell.internal.fakes.FakeTape.RUN;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import palyra.api.command.Command;
import palyra.api.command.ExitCodes;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.tape.TapeEvent;
import palyra.shell.internal.fakes.FakeTape;
import palyra.shell.internal.fakes.HostFixture;
import palyra.shell.internal.fakes.Partial;
import palyra.shell.internal.fakes.ShellAccess;
import palyra.shell.internal.host.StopCause;
import palyra.testing.command.FakeCommandContext;
import palyra.testing.wait.Await;

@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
@Timeout(60)
class TapeCommandsTest {
    @TempDir Path folder;
    private final HostFixture fixture = new HostFixture();
    private final FakeTape tape = new FakeTape("user:op");
    private TapeVerifier verifier;
    private Command export;

    @BeforeEach
    void add() {
        verifier = tape.verifier();
        fixture.seams.journal().add(tape.journal(), Map.of());
        fixture.seams.keys().add(tape.keys, Map.of());
        fixture.seams.feed().add(tape.feed(), Map.of());
        fixture.seams.bindVerifier(verifier, Map.of());
        export =
                new TapeExportCommand(
                        fixture.seams,
                        Partial.of(
                                BundleContext.class,
                                new Object() {
                                    public String getProperty(String name) {
                                        return folder.resolve("state").toString();
                                    }
                                }));
        fixture.add(export);
        fixture.add(new TapeShowCommand(fixture.seams));
        fixture.add(new TapeVerifyCommand(fixture.seams));
        fixture.add(new TapeTailCommand(fixture.seams));
    }

    private String exported() throws Exception {
        HostFixture.Run run = fixture.run("tape", "export", RUN);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        return run.outText();
    }

    private FakeCommandContext verifyInput(String text, String... trusted) throws Exception {
        FakeCommandContext.Builder builder =
                FakeCommandContext.builder().option("file", "-").in(text);
        for (String key : trusted) {
            builder.option("trusted-key", key);
        }
        return builder.build();
    }

    private int verify(FakeCommandContext context) throws Exception {
        return context.run(new TapeVerifyCommand(fixture.seams));
    }

    @Test
    void anExportWithoutAByteIsNotCalledDamaged() throws Exception {
        FakeCommandContext nothing = verifyInput("");
        assertEquals(ExitCodes.DATA, verify(nothing));
        String said = nothing.output().text() + nothing.output().notes();
        assertTrue(said.contains("Nothing was read: the export is empty."), said);
    }

    @Test
    void showsRecordsWithoutObeyingWhatIsInThem() throws Exception {
        HostFixture.Run run = fixture.run("tape", "show", RUN);
        assertTrue(run.outText().contains("USER user:op: hello"), run.outText());
        assertFalse(run.outText().contains("\u001b"));
        assertEquals(3, run.outText().lines().count());
        JsonNode json =
                new ObjectMapper()
                        .readTree(
                                fixture.run("tape", "show", RUN, "--from", "2", "--json")
                                        .outText());
        assertEquals(2, json.get("seq").asInt());
        assertEquals("USER", json.get("content").get("role").asText());
    }

    @Test
    void tapeOfARunWhoseRowIsLostIsToldAsDamagedAndHiddenFromOthers() throws Exception {
        HostFixture.Run run = fixture.run("tape", "verify", FakeTape.LOST);
        assertTrue(run.errText().contains("lost its row"), run.errText());
        fixture.access.as(ShellAccess.VIEWER);
        assertEquals(ExitCodes.NOT_FOUND, fixture.run("tape", "verify", FakeTape.LOST).code());
    }

    @Test
    void hidesWhatBelongsToSomebodyElse() throws Exception {
        fixture.access.as(ShellAccess.VIEWER);
        for (String[] argv :
                List.of(
                        new String[] {"tape", "show", RUN},
                        new String[] {"tape", "verify", RUN},
                        new String[] {"tape", "export", RUN},
                        new String[] {"tape", "tail", RUN})) {
            HostFixture.Run run = fixture.run(argv);
            assertEquals(ExitCodes.NOT_FOUND, run.code(), run.errText());
            assertEquals("", run.outText());
        }
        assertEquals(ExitCodes.DENIED, fixture.run("tape", "show", "journal").code());
        assertEquals(ExitCodes.DENIED, fixture.run("tape", "verify").code());
        // The same caller does read what is its own.
        HostFixture own = new HostFixture();
        own.access.as(ShellAccess.VIEWER);
        own.seams.journal().add(new FakeTape("user:eve").journal(), Map.of());
        own.add(new TapeShowCommand(own.seams));
        assertEquals(ExitCodes.OK, own.run("tape", "show", RUN).code());
    }

    @Test
    void verifiesWhatIsStored() throws Exception {
        tape.end();
        HostFixture.Run intact = fixture.run("tape", "verify", RUN, "--json");
        assertEquals(ExitCodes.OK, intact.code());
        assertEquals(
                "intact", new ObjectMapper().readTree(intact.outText()).get("verdict").asText());
        assertEquals(ExitCodes.OK, fixture.run("tape", "verify", "--all").code());
        assertEquals(
                ExitCodes.OK,
                fixture.run("tape", "verify", RUN, "--from", "1", "--to", "2").code());
        tape.tamper(1);
        HostFixture.Run broken = fixture.run("tape", "verify", RUN);
        assertEquals(ExitCodes.DATA, broken.code());
        assertTrue(broken.errText().contains("record 2 of " + RUN + " (PAYLOAD)"));
        assertTrue(broken.outText().contains("broken"));
    }

    @Test
    void verifiesWhatIsNewAndTellsHowFarItIs() throws Exception {
        tape.end();
        HostFixture.Run added = fixture.run("tape", "verify", "--new", "--json");
        assertEquals(ExitCodes.OK, added.code());
        assertEquals(0, new ObjectMapper().readTree(added.outText()).get("earlier").asInt());
        for (String[] both : new String[][] {{RUN, "--new"}, {"--all", "--new"}}) {
            HostFixture.Run refused = fixture.run("tape", "verify", both[0], both[1]);
            assertEquals(ExitCodes.USAGE, refused.code());
            assertTrue(refused.errText().contains("--new without"), refused.errText());
        }
        TapeVerifyCommand command = new TapeVerifyCommand(fixture.seams);
        FakeCommandContext all = FakeCommandContext.builder().build();
        assertEquals(ExitCodes.OK, all.run(command));
        assertEquals(List.of("verified 3 of about 7 records"), all.output().progressTexts());
        FakeCommandContext some = FakeCommandContext.builder().flag("new").build();
        assertEquals(ExitCodes.OK, some.run(command));
        assertEquals(List.of("verified 3 records"), some.output().progressTexts());
    }

    private static final TapeEvent FINISHED =
            new TapeEvent.TurnFinished(1, 1, "", "stop", List.of(), 0, 0);

    @Test
    void tellsAnIllegalRecordFromAChangedOne() throws Exception {
        tape.append(FINISHED);
        HostFixture.Run illegal = fixture.run("tape", "verify", "--all", "--json");
        assertEquals(ExitCodes.DATA, illegal.code());
        JsonNode told = new ObjectMapper().readTree(illegal.outText());
        assertEquals("illegal", told.get("verdict").asText());
        assertFalse(told.has("fault"));
        JsonNode first = told.get("illegal").get(0);
        assertEquals(RUN, first.get("run").asText());
        assertEquals(3, first.get("seq").asInt());
        assertEquals("turn_finished", first.get("type").asText());
        assertTrue(first.get("detail").asText().contains("expected turn_started"));
        assertTrue(
                illegal.errText().contains("record 3 of " + RUN + ", turn_finished (ILLEGAL)"),
                illegal.errText());
        tape.tamper(0);
        JsonNode broken =
                new ObjectMapper().readTree(fixture.run("tape", "verify", RUN, "--json").outText());
        assertEquals("broken", broken.get("verdict").asText());
        assertFalse(broken.has("illegal"));
    }

    @Test
    void tellsAnIllegalRecordOfAnExport() throws Exception {
        tape.append(FINISHED);
        FakeCommandContext context = verifyInput(exported());
        assertEquals(ExitCodes.DATA, verify(context));
        assertTrue(context.output().text().contains("verdict: illegal"));
        assertTrue(
                context.output().notes().toString().contains("turn_finished (ILLEGAL)"),
                context.output().notes().toString());
    }

    @Test
    void doesNotJudgeWhatItDoesNotKnow() throws Exception {
        tape.append(new Operation.Append(RUN, "merkle_proof", 1, new byte[] {'{', '}'}));
        tape.append(FINISHED);
        HostFixture.Run run = fixture.run("tape", "verify", RUN);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertTrue(run.outText().contains("intact"), run.outText());
        assertTrue(run.errText().contains("merkle_proof (not judged)"), run.errText());
    }

    @Test
    void refusesOptionsThatContradictEachOther() throws Exception {
        for (String[] argv :
                List.of(
                        new String[] {"tape", "verify", RUN, "--all"},
                        new String[] {"tape", "verify", RUN, "--file", "x"},
                        new String[] {"tape", "verify", "--from", "1"},
                        new String[] {"tape", "verify", "--trusted-key", "k"},
                        new String[] {"tape", "verify", RUN, "--from", "99"},
                        new String[] {"tape", "verify", RUN, "--from", "2", "--to", "1"},
                        new String[] {"tape", "verify", "nonsense"})) {
            HostFixture.Run run = fixture.run(argv);
            assertEquals(ExitCodes.USAGE, run.code(), run.errText());
            assertEquals("", run.outText());
        }
        assertEquals(
                ExitCodes.NOT_FOUND,
                fixture.run("tape", "verify", "01J0000000000000000000000Z").code());
    }

    /** A journal that is stopped is verified to find out why. */
    @Test
    void theEventsAreVerifiedWhileNothingCanBeRead() throws Exception {
        fixture.seams.journal().remove(tape.journal());
        HostFixture.Run run = fixture.run("tape", "verify", "journal");
        assertNotEquals(ExitCodes.UNAVAILABLE, run.code(), run.errText());
    }

    @Test
    void verifiesAnExportWithoutTheJournal() throws Exception {
        tape.end();
        String export = exported();
        assertEquals(5, export.lines().count());
        fixture.seams.journal().remove(tape.journal());
        FakeCommandContext context = verifyInput(export);
        assertEquals(ExitCodes.OK, verify(context), context.output().notes().toString());
        assertTrue(context.output().text().contains("verdict: intact"));
        assertTrue(context.output().text().contains("seals: 1"));
    }

    @Test
    void findsEveryChangedByteOfAnExport() throws Exception {
        String export = exported(); // without a seal, so the hashes alone must tell
        tape.end();
        String sealed = exported();
        for (String text : List.of(export, sealed)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            int harmless = 0;
            int begin = text.indexOf('\n') + 1; // the header also holds what nothing depends on
            for (int i = begin; i < bytes.length; i++) {
                byte[] changed = bytes.clone();
                changed[i] ^= 1;
                String mutated = new String(changed, StandardCharsets.UTF_8);
                FakeCommandContext context = verifyInput(mutated);
                if (verify(context) == ExitCodes.OK) {
                    harmless++;
                }
            }
            assertEquals(0, harmless);
        }
    }

    @Test
    void findsLinesThatAreMissingDoubledOrMoved() throws Exception {
        tape.end();
        List<String> lines = exported().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            List<String> without = new ArrayList<>(lines);
            without.remove(i);
            List<String> doubled = new ArrayList<>(lines);
            doubled.add(i, lines.get(i));
            List<String> moved = new ArrayList<>(lines);
            moved.add((i + 1) % lines.size(), moved.remove(i));
            for (List<String> bad : List.of(without, doubled, moved)) {
                assertEquals(ExitCodes.DATA, verify(verifyInput(String.join("\n", bad) + "\n")));
            }
        }
        assertEquals(ExitCodes.OK, verify(verifyInput(String.join("\n", lines) + "\n")));
    }

    @Test
    void findsAnExportThatIsNone() throws Exception {
        for (String bad : List.of("", "\n", "{}\n", "[]\n", "no json\n", "{\"format\":\"x\"}\n")) {
            assertEquals(ExitCodes.DATA, verify(verifyInput(bad)), bad);
        }
    }

    @Test
    void trustsOnlyTheKeysThatAreNamed() throws Exception {
        tape.end();
        String export = exported();
        String key = tape.keys.published().get(0).keyId();
        assertEquals(ExitCodes.OK, verify(verifyInput(export, key)));
        FakeCommandContext other = verifyInput(export, "ed25519:0000000000000000");
        assertEquals(ExitCodes.DATA, verify(other));
        assertFalse(other.output().text().contains("intact"));
        assertTrue(other.output().notes().toString().contains("not one of the trusted keys"));
    }

    @Test
    void refusesAKeyThatClaimsTheIdOfAnother() throws Exception {
        tape.end();
        String forged = new FakeTape("user:op").keys.published().get(0).publicKey();
        String export = exported().replace(tape.keys.published().get(0).publicKey(), forged);
        FakeCommandContext context = verifyInput(export);
        assertEquals(ExitCodes.DATA, verify(context));
        assertTrue(
                context.output().notes().toString().contains("not the id of its public key"),
                context.output().notes().toString());
    }

    @Test
    void saysWhenNothingProvesTheEnd() throws Exception {
        FakeCommandContext context = verifyInput(exported());
        assertEquals(ExitCodes.OK, verify(context));
        assertTrue(context.output().notes().toString().contains("no signed head"));
    }

    @Test
    void writesAnExportToANewFileOfItsOwn() throws Exception {
        FakeCommandContext context =
                FakeCommandContext.builder()
                        .positionals(RUN)
                        .option("output", "run.jsonl")
                        .workingFolder(folder.toString())
                        .build();
        assertEquals(ExitCodes.OK, context.run(export), context.output().notes().toString());
        Path file = folder.resolve("run.jsonl");
        assertEquals(exported(), Files.readString(file));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(List.of("run.jsonl"), List.of(folder.toFile().list()));
        byte[] before = Files.readAllBytes(file);
        FakeCommandContext again =
                FakeCommandContext.builder()
                        .positionals(RUN)
                        .option("output", file.toString())
                        .build();
        assertEquals(ExitCodes.FAILED, again.run(export));
        assertEquals(before.length, Files.size(file));
    }

    @Test
    void writesNoFileIntoTheStateFolderNorForOthersThanOperators() throws Exception {
        Files.createDirectory(folder.resolve("state"));
        for (String target : List.of("state/x.jsonl", "other/../state/x.jsonl")) {
            FakeCommandContext context =
                    FakeCommandContext.builder()
                            .positionals(RUN)
                            .option("output", target)
                            .workingFolder(folder.toString())
                            .build();
            assertEquals(ExitCodes.USAGE, context.run(export));
        }
        HostFixture own = new HostFixture();
        FakeCommandContext viewer =
                FakeCommandContext.builder()
                        .principal(ShellAccess.VIEWER)
                        .positionals(RUN)
                        .option("output", folder.resolve("x.jsonl").toString())
                        .build();
        own.seams.journal().add(new FakeTape("user:eve").journal(), Map.of());
        own.seams.keys().add(tape.keys, Map.of());
        BundleContext none =
                Partial.of(
                        BundleContext.class,
                        new Object() {
                            public String getProperty(String name) {
                                return null;
                            }
                        });
        assertEquals(ExitCodes.DENIED, viewer.run(new TapeExportCommand(own.seams, none)));
        assertEquals(List.of("state"), List.of(folder.toFile().list()));
    }

    @Test
    void followsATapeToTheEndOfItsRun() throws Exception {
        HostFixture.Run run = fixture.start("tape", "tail", RUN, "--lines", "1");
        Await.until("the first line", () -> run.outText().contains("hello"));
        assertFalse(run.outText().contains("run_state"), run.outText());
        tape.append(new TapeEvent.ExternalEvent("e1", "note", "user:op", "{\"a\":1}"));
        Await.until("the new line", () -> run.outText().contains("note of user:op"));
        tape.end();
        assertEquals(ExitCodes.OK, run.code());
        assertTrue(run.outText().contains("CANCELLED"));
    }

    @Test
    void followsATapeWithoutHintsAndUntilCtrlC() throws Exception {
        HostFixture bare = new HostFixture();
        bare.seams.journal().add(tape.journal(), Map.of());
        bare.add(new TapeTailCommand(bare.seams));
        HostFixture.Run run = bare.start("tape", "tail", RUN);
        Await.until("the first lines", () -> run.outText().contains("hello"));
        tape.append(new TapeEvent.ExternalEvent("e1", "note", "user:op", "2"));
        Await.until("a line without a hint", () -> run.outText().contains("note of user:op"));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
    }

    @Test
    void beginsAVerificationAgainWhenTheVerifierIsSwapped() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        TapeVerifier leaving =
                Partial.of(
                        TapeVerifier.class,
                        new Object() {
                            public VerificationReport verifyAll(
                                    TapeVerifier.Extent extent,
                                    TapeVerifier.Progress progress,
                                    BooleanSupplier cancelled) {
                                begun.countDown();
                                Await.until("the swap", cancelled);
                                return new VerificationReport(0, 5, 0, 0, false, Optional.empty());
                            }
                        });
        fixture.seams.unbindVerifier(verifier);
        fixture.seams.bindVerifier(leaving, Map.of());
        tape.end();
        HostFixture.Run run = fixture.start("tape", "verify");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        fixture.seams.bindVerifier(verifier, Map.of("service.ranking", 5));
        // Waits for the verification to let go, which must not take long.
        fixture.seams.unbindVerifier(leaving);
        assertEquals(ExitCodes.OK, run.code(), run.errText());
        assertTrue(run.errText().contains("beginning again"), run.errText());
    }

    @Test
    void stopsAVerificationOnCtrlC() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        fixture.seams.unbindVerifier(verifier);
        fixture.seams.bindVerifier(
                Partial.of(
                        TapeVerifier.class,
                        new Object() {
                            public VerificationReport verifyAll(
                                    TapeVerifier.Extent extent,
                                    TapeVerifier.Progress progress,
                                    BooleanSupplier cancelled) {
                                begun.countDown();
                                while (!cancelled.getAsBoolean()) {
                                    Thread.onSpinWait();
                                }
                                return new VerificationReport(0, 5, 0, 0, false, Optional.empty());
                            }
                        }),
                Map.of());
        HostFixture.Run run = fixture.start("tape", "verify");
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        run.execution.stop(StopCause.PERSON);
        assertEquals(ExitCodes.CANCELLED, run.code());
    }
}
