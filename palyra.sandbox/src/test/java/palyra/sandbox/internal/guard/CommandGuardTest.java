package palyra.sandbox.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.internal.guard.GuardFixture.accepted;
import static palyra.sandbox.internal.guard.GuardFixture.concern;
import static palyra.sandbox.internal.guard.GuardFixture.refused;
import static palyra.sandbox.internal.guard.GuardFixture.unchanged;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.PalyraException;
import palyra.shared.hash.Digests;

class CommandGuardTest {
    @TempDir Path temp;
    private GuardFixture fixture;

    @BeforeEach
    void makeFixture() throws Exception {
        fixture = new GuardFixture(temp);
    }

    private GuardVerdict allowing(String command, String... arguments) {
        return new CommandGuard(fixture.settings(true))
                .examine(
                        new CommandRequest(command, List.of(arguments), "", Set.of()),
                        fixture.workspace);
    }

    @Test
    void a01_a02_refusesInterpretersOfAnyNameAndVersion() throws Exception {
        for (String name :
                List.of(
                        "sh",
                        "bash",
                        "dash",
                        "ash",
                        "ksh93",
                        "zsh",
                        "fish",
                        "pwsh",
                        "python3",
                        "python",
                        "python3.11",
                        "python3.11-dbg",
                        "pypy3",
                        "node",
                        "nodejs",
                        "deno",
                        "bun",
                        "perl",
                        "perl5.36",
                        "perl5.36-x86_64-linux-gnu",
                        "ruby3.1",
                        "lua",
                        "lua5.4",
                        "luajit",
                        "php",
                        "php8.2",
                        "tclsh8.6",
                        "Rscript",
                        "java",
                        "jshell",
                        "guile-3.0",
                        "emacs",
                        "gdb",
                        "bash-static",
                        "x86_64-linux-gnu-python3.11",
                        "ld-linux-x86-64.so.2",
                        "ld-musl-x86_64.so.1",
                        "ld.so")) {
            concern("sandbox.interpreter", fixture.examine(name, "-c", "x"));
            assertTrue(accepted(allowing(name)).interpreter(), name);
        }
    }

    @Test
    void a02_a03_refusesWhatStartsOthers() throws Exception {
        for (String name :
                List.of(
                        "busybox",
                        "busybox.static",
                        "toybox",
                        "env",
                        "xargs",
                        "timeout",
                        "nice",
                        "nohup",
                        "setsid",
                        "stdbuf",
                        "script",
                        "sudo",
                        "su",
                        "chroot",
                        "unshare",
                        "setpriv",
                        "strace",
                        "flock",
                        "watch",
                        "parallel",
                        "npx",
                        "tini")) {
            concern("sandbox.dispatcher", fixture.examine(name, "sh", "-c", "x"));
        }
    }

    @Test
    void namesThatOnlyBeginLikeAnInterpreterPass() throws Exception {
        for (String name :
                List.of(
                        "node-gyp",
                        "envsubst",
                        "shasum",
                        "perltidy",
                        "timedatectl",
                        "luacheck",
                        "ls",
                        "cat",
                        "grep",
                        "git",
                        "shred",
                        "nl",
                        "env-info",
                        "phpunit")) {
            assertFalse(accepted(fixture.examine(name)).interpreter(), name);
        }
    }

    @Test
    void a05_marksCodeThatIsHandedToAnAllowedInterpreter() throws Exception {
        for (String[] call :
                new String[][] {
                    {"bash", "-ec", "x"}, {"bash", "-c", "x"}, {"perl", "-e", "x"},
                    {"perl", "-pe", "x"}, {"node", "--eval=x"}, {"node", "-p", "x"},
                    {"python", "-cx"}, {"php", "-r", "x"}, {"ruby", "-nle", "x"}
                }) {
            fixture.program(call[0]);
            String[] arguments = java.util.Arrays.copyOfRange(call, 1, call.length);
            Set<String> flags = accepted(allowing(call[0], arguments)).facts().flags();
            assertTrue(flags.contains("!eval"), call[0] + flags);
            assertTrue(flags.contains("!runs-programs"), call[0] + flags);
        }
        fixture.program("python3");
        assertFalse(accepted(allowing("python3", "app.py")).facts().flags().contains("!eval"));
    }

    @Test
    void a06_seesTheFileBehindALink() throws Exception {
        Files.createSymbolicLink(fixture.bin.resolve("ls"), fixture.program("dash"));
        concern("sandbox.interpreter", fixture.examine("ls"));
    }

    @Test
    void a07_knowsACopyOfAnInterpreterByItsContent() throws Exception {
        Path shell = fixture.program("dash");
        Files.copy(shell, fixture.bin.resolve("mytool"));
        fixture.bin.resolve("mytool").toFile().setExecutable(true);
        concern("sandbox.interpreter", fixture.examine("mytool"));
        Files.createLink(fixture.bin.resolve("other"), shell);
        concern("sandbox.interpreter", fixture.examine("other"));
        accepted(fixture.examine("nocopy"));
    }

    @Test
    void aCopyThatIsMadeLaterIsKnownToo() throws Exception {
        CommandGuard guard = fixture.guard();
        fixture.program("tool");
        CommandRequest request = new CommandRequest("tool", List.of(), "", Set.of());
        String before = accepted(guard.examine(request, fixture.workspace)).programSha256();
        assertEquals(Digests.sha256Hex("\u007fELF tool"), before);
        Files.delete(fixture.bin.resolve("tool"));
        Files.copy(fixture.program("zsh"), fixture.bin.resolve("tool"));
        fixture.bin.resolve("tool").toFile().setExecutable(true);
        concern("sandbox.interpreter", guard.examine(request, fixture.workspace));
    }

    @Test
    void aLinkToAMultiCallBinaryIsWhatItsNameSays() throws Exception {
        Path busybox = fixture.program("busybox");
        Files.createSymbolicLink(fixture.bin.resolve("ls"), busybox);
        Files.createSymbolicLink(fixture.bin.resolve("ash"), busybox);
        Files.createLink(fixture.bin.resolve("cat"), busybox);
        ResolvedCommand ls = accepted(fixture.examine("ls"));
        assertEquals(fixture.bin.resolve("ls"), ls.program(), "it acts by the name it has");
        assertEquals(busybox.toString(), ls.facts().executable());
        accepted(fixture.examine("cat"));
        concern("sandbox.interpreter", fixture.examine("ash"));
        Files.copy(busybox, fixture.bin.resolve("tool"));
        fixture.bin.resolve("tool").toFile().setExecutable(true);
        concern("sandbox.dispatcher", fixture.examine("tool"));
    }

    @Test
    void anAllowedBusyboxIsReadByItsApplet() throws Exception {
        fixture.program("busybox");
        ResolvedCommand find = accepted(allowing("busybox", "find", ".", "-exec", "x", ";"));
        assertTrue(find.facts().flags().contains("-exec"), find.facts().flags().toString());
        assertEquals(5, find.facts().argumentCount());
    }

    @Test
    void aScriptInTheWorkspaceIsAnInterpretersWork() throws Exception {
        Path own = Files.createDirectories(fixture.workspace.resolve("bin"));
        Files.writeString(own.resolve("tool"), "#!/bin/sh\nexec \"$@\"\n");
        own.resolve("tool").toFile().setExecutable(true);
        CommandGuard guard =
                new CommandGuard(
                        new GuardSettings(Set.of(), false, List.of(own.toString()), List.of()));
        CommandRequest request = new CommandRequest("tool", List.of(), "", Set.of());
        concern("sandbox.interpreter", guard.examine(request, fixture.workspace));
        Files.writeString(own.resolve("binary"), "\u007fELF");
        own.resolve("binary").toFile().setExecutable(true);
        accepted(
                guard.examine(
                        new CommandRequest("binary", List.of(), "", Set.of()), fixture.workspace));
    }

    @Test
    void aScriptElsewhereIsMarkedAndNotRefused() throws Exception {
        fixture.file("npm", "#!/usr/bin/env node\n");
        ResolvedCommand npm = unchanged(fixture.examine("npm", "run", "build"), "run", "build");
        assertTrue(npm.facts().flags().contains("!script"));
        assertTrue(npm.facts().flags().contains("!runs-programs"));
        assertEquals("run", npm.facts().subcommand());
    }

    @Test
    void a11_takesBareNamesOnly() throws Exception {
        for (String name :
                List.of(
                        "/bin/ls",
                        "./ls",
                        "../ls",
                        "a b",
                        "a\tb",
                        "a\nb",
                        "",
                        ".",
                        "..",
                        "-x",
                        "a\u00a0b",
                        "a\\b",
                        "x".repeat(257),
                        "a\0b",
                        "\ud800")) {
            refused(
                    "sandbox.command_invalid",
                    fixture.guard()
                            .examine(
                                    new CommandRequest(name, List.of(), "", Set.of()),
                                    fixture.workspace));
        }
        accepted(fixture.examine("x".repeat(250)));
    }

    @Test
    void a14_leavesHarmlessKillersAlone() throws Exception {
        unchanged(fixture.examine("pkill", "-9", "x"), "-9", "x");
        unchanged(fixture.examine("killall", "x"), "x");
    }

    @Test
    void takesOnlyWhatIsOnTheList() throws Exception {
        fixture.program("ls");
        fixture.program("cat");
        fixture.program("bash");
        GuardSettings settings =
                new GuardSettings(
                        Set.of("ls", "bash"), false, List.of(fixture.bin.toString()), List.of());
        CommandGuard guard = new CommandGuard(settings);
        accepted(
                guard.examine(
                        new CommandRequest("ls", List.of(), "", Set.of()), fixture.workspace));
        refused(
                "sandbox.command_not_allowed",
                guard.examine(
                        new CommandRequest("cat", List.of(), "", Set.of()), fixture.workspace));
        concern(
                "sandbox.interpreter",
                guard.examine(
                        new CommandRequest("bash", List.of(), "", Set.of()), fixture.workspace));
    }

    @Test
    void findsNothingThatCannotBeStarted() throws Exception {
        Files.writeString(fixture.bin.resolve("plain"), "not executable");
        Files.createDirectory(fixture.bin.resolve("folder"));
        Files.createSymbolicLink(fixture.bin.resolve("dangling"), Path.of("/nowhere/x"));
        for (String name : List.of("plain", "folder", "dangling", "missing")) {
            refused(
                    "sandbox.command_not_found",
                    fixture.guard()
                            .examine(
                                    new CommandRequest(name, List.of(), "", Set.of()),
                                    fixture.workspace));
        }
    }

    @Test
    void boundsArguments() throws Exception {
        refused("sandbox.arguments", fixture.examine("ls", "a\0b"));
        refused("sandbox.arguments", fixture.examine("ls", "\udc00"));
        refused("sandbox.arguments", fixture.examine("ls", "x".repeat(128 * 1024)));
        refused("sandbox.arguments", fixture.examine("ls", "é".repeat(64 * 1024)));
        String[] many = Collections.nCopies(1_025, "x").toArray(String[]::new);
        refused("sandbox.arguments", fixture.examine("ls", many));
        String[] large = Collections.nCopies(17, "x".repeat(128 * 1024 - 1)).toArray(String[]::new);
        refused("sandbox.arguments", fixture.examine("ls", large));
        accepted(fixture.examine("ls", "x".repeat(128 * 1024 - 1)));
    }

    @Test
    void longArgumentsFullOfSeparatorsEndInTime() throws Exception {
        for (String part : List.of("=", "=/", ",~", ":..", "a:", "a.", "{/", "=a/..", "'/x',")) {
            fixture.examine("curl", part.repeat(120_000 / part.length()));
        }
    }

    @Test
    void startsInFoldersOfTheWorkspaceOnly() throws Exception {
        assertEquals(
                fixture.workspace.resolve("src/deep"),
                accepted(fixture.examineIn("src/deep", "ls")).workingFolder());
        assertEquals(
                fixture.workspace, accepted(fixture.examineIn("src/..", "ls")).workingFolder());
        Files.createSymbolicLink(fixture.workspace.resolve("out"), fixture.root);
        Files.createSymbolicLink(fixture.workspace.resolve("in"), Path.of("src"));
        assertEquals(
                fixture.workspace.resolve("src"),
                accepted(fixture.examineIn("in", "ls")).workingFolder());
        for (String folder : List.of("..", "../ws", "out", "/", "/usr", "missing", "f", "a\0b")) {
            refused("sandbox.working_folder", fixture.examineIn(folder, "ls"));
        }
        GuardVerdict elsewhere = fixture.examineIn("/tmp", "ls");
        assertTrue(elsewhere.toString().contains("with cd /tmp && before"), elsewhere.toString());
    }

    @Test
    void refusesAWorkspaceThatIsALinkOrGone() throws Exception {
        fixture.program("ls");
        Path link = Files.createSymbolicLink(fixture.root.resolve("link"), fixture.workspace);
        CommandRequest request = new CommandRequest("ls", List.of(), "", Set.of());
        refused("sandbox.workspace", fixture.guard().examine(request, link));
        refused("sandbox.workspace", fixture.guard().examine(request, temp.resolve("gone")));
    }

    @Test
    void settingsNeedAbsolutePaths() {
        assertThrows(
                PalyraException.class,
                () ->
                        new CommandGuard(
                                new GuardSettings(Set.of(), false, List.of("bin"), List.of())));
        assertThrows(
                PalyraException.class,
                () ->
                        new CommandGuard(
                                new GuardSettings(Set.of(), false, List.of(), List.of("x"))));
    }
}
