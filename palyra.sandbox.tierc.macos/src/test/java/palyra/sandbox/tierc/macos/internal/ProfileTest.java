package palyra.sandbox.tierc.macos.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.bind;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.connect;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.file;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.mach;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.node;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.plain;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.process;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.sysctl;
import static palyra.sandbox.tierc.macos.internal.sbpl.Query.unix;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import palyra.api.core.access.Confinement.Egress;
import palyra.sandbox.tierc.macos.internal.sbpl.Evaluator;
import palyra.sandbox.tierc.macos.internal.sbpl.Query;

/** Asks the profiles what they allow. They are judged by an evaluator, not run on hardware. */
class ProfileTest {
    private static final String TMP = "/private/var/folders/zz/abc/T/palyra-run-1";
    private static final String STATE = "/Users/anna/.palyra";
    private static final String WS = "/Users/anna/projects/one";

    private static Profile profile(Specs specs, Reading reading, OptionalInt port) {
        return Profile.of(specs.spec(), reading, TMP, Optional.of(STATE), port);
    }

    private static Evaluator evaluator(Specs specs, Reading reading) {
        return evaluator(profile(specs, reading, OptionalInt.empty()));
    }

    private static Evaluator evaluator(Profile profile) {
        Evaluator evaluator = new Evaluator(profile.text(), profile.parameters());
        assertEquals(profile.parameters().keySet(), evaluator.used(), "each parameter is used");
        return evaluator;
    }

    private static void allows(Evaluator evaluator, Query... queries) {
        for (Query query : queries) {
            assertTrue(evaluator.allows(query), "denied: " + query);
        }
    }

    private static void denies(Evaluator evaluator, Query... queries) {
        for (Query query : queries) {
            assertFalse(evaluator.allows(query), "allowed: " + query);
        }
    }

    @ParameterizedTest
    @EnumSource(Reading.class)
    void allowsWorkInTheWorkspaceAndItsOwnTemporaryFolder(Reading reading) {
        allows(
                evaluator(new Specs(), reading),
                file("file-read-data", WS + "/src/a.c"),
                file("file-write-create", WS + "/src/b.c"),
                file("file-write-data", WS + "/src/b.c"),
                file("file-write-unlink", WS + "/src/b.c"),
                file("file-write-mode", WS + "/run.sh"),
                file("file-write-data", WS + "/.git/index"),
                file("file-write-create", WS + "/.git/objects/ab/cd"),
                file("file-write-create", TMP + "/x"),
                file("file-read-data", TMP + "/x"),
                file("process-exec*", WS + "/run.sh"),
                file("process-exec*", "/bin/sh"),
                file("file-read-data", "/usr/lib/libSystem.B.dylib"),
                file("file-map-executable", "/System/Library/Frameworks/A.framework/A"),
                node("file-read-metadata", "/Users/anna", "DIRECTORY"),
                node("file-read-metadata", "/Users", "DIRECTORY"),
                node("file-write-data", "/dev/null", "CHARACTER-DEVICE"),
                file("file-read-data", "/dev/urandom"),
                plain("process-fork"),
                process("signal", "same-sandbox"),
                sysctl("hw.ncpu"),
                mach("com.apple.system.opendirectoryd.libinfo"));
    }

    @ParameterizedTest
    @EnumSource(Reading.class)
    void deniesWhatIsOutside(Reading reading) {
        denies(
                evaluator(new Specs(), reading),
                file("file-read-data", "/Users/anna/.ssh/id_ed25519"),
                file("file-read-data", "/Users/anna/projects/two/secret"),
                file("file-read-data", "/Users/anna/projects/one-more/secret"),
                file("file-read-data", "/Users/bert/notes"),
                file("file-read-data", "/Users/anna/Library/Keychains/login.keychain-db"),
                file("file-read-data", "/Library/Keychains/System.keychain"),
                file("file-read-data", "/Library/Application Support/App/token"),
                file("file-read-data", "/private/etc/master.passwd"),
                file("file-read-data", "/private/etc/sudoers"),
                file("file-read-data", "/private/tmp/other"),
                file("file-read-data", "/private/var/tmp/other"),
                file("file-read-data", "/private/var/folders/zz/abc/T/palyra-run-2/x"),
                file("file-read-data", "/private/var/root/.ssh/id_rsa"),
                file("file-read-data", "/private/var/log/system.log"),
                file("file-read-data", "/Volumes/Backup/x"),
                file("file-read-data", "/System/Volumes/Data/Users/anna/.ssh/id_ed25519"),
                node("file-read-data", "/dev/disk0", "BLOCK-DEVICE"),
                node("file-read-data", "/dev/rdisk0", "CHARACTER-DEVICE"),
                node("file-read-data", "/dev/ttys001", "CHARACTER-DEVICE"),
                node("file-read-data", "/dev/tty", "CHARACTER-DEVICE"),
                node("file-write-data", "/dev/ttys001", "CHARACTER-DEVICE"),
                node("file-read-data", "/dev/bpf0", "CHARACTER-DEVICE"),
                file("file-read-data", STATE + "/journal/tape"),
                file("file-write-create", "/private/tmp/x"),
                file("file-write-create", "/Users/anna/x"),
                file("file-write-data", "/Users/anna/.zshrc"),
                file("file-write-create", "/Users/anna/Library/LaunchAgents/x.plist"),
                file("file-write-create", "/usr/local/bin/x"),
                file("file-write-create", "/Applications/x"),
                file("file-write-data", "/dev/null"), // a file of that name is no device
                file("file-write-data", STATE + "/policy/a.cedar"),
                file("file-write-setugid", WS + "/x"),
                file("file-link", WS + "/x"),
                file("file-mknod", WS + "/x"),
                file("file-write-unlink", WS),
                file("file-write-unlink", TMP),
                file("process-exec*", "/Users/anna/bin/tool"),
                file("process-exec*", "/private/tmp/tool"),
                file("process-exec*", "/Applications/Terminal.app/Contents/MacOS/Terminal"),
                file("process-exec*", STATE + "/x"),
                file("file-map-executable", "/private/tmp/x.dylib"),
                process("signal", "others"),
                process("process-info-pidinfo", "others"),
                plain("mach-priv-task-port"),
                plain("mach-register"),
                plain("job-creation"),
                plain("iokit-open"),
                plain("system-privilege"),
                plain("sysctl-write"),
                plain("ipc-posix-shm"),
                plain("pseudo-tty"),
                sysctl("kern.procargs2"),
                mach("com.apple.SecurityServer"),
                mach("com.apple.coreservices.appleevents"),
                mach("com.apple.windowserver.active"),
                mach("com.apple.pasteboard.1"));
    }

    @Test
    void strictReadingIsAListAndBroadReadingLeavesOutSecrets() {
        Query[] broadly = {
            file("file-read-data", "/opt/homebrew/lib/libz.dylib"),
            file("file-read-data", "/Applications/Xcode.app/Contents/Info.plist"),
            file("file-read-data", "/private/etc/hosts"),
            file("file-read-metadata", "/opt/x")
        };
        denies(evaluator(new Specs(), Reading.STRICT), broadly);
        allows(evaluator(new Specs(), Reading.BROAD), broadly);
        denies(
                evaluator(new Specs(), Reading.BROAD),
                file("file-read-data", "/opt/service/.ssh/config"),
                file("file-read-data", "/opt/service/.aws/credentials"),
                file("file-read-data", "/opt/service/.netrc"),
                file("file-read-data", "/opt/service/id_rsa"),
                file("file-read-metadata", "/Users/anna/.ssh/id_ed25519"));
    }

    @ParameterizedTest
    @EnumSource(Reading.class)
    void protectedPathsStayAsTheyAre(Reading reading) {
        Evaluator evaluator = evaluator(new Specs(), reading);
        for (String operation :
                List.of(
                        "file-write-create",
                        "file-write-data",
                        "file-write-unlink",
                        "file-write-mode",
                        "file-write-xattr")) {
            denies(
                    evaluator,
                    file(operation, WS + "/.git/hooks/pre-commit"),
                    file(operation, WS + "/.git/hooks"),
                    file(operation, WS + "/.git/config"),
                    file(operation, WS + "/.vscode/tasks.json"),
                    file(operation, WS + "/.mcp.json"),
                    file(operation, WS + "/.GIT/Hooks/pre-commit"),
                    file(operation, WS + "/.Vscode/tasks.json"));
        }
        denies(
                evaluator,
                file("file-write-unlink", WS + "/.git"), // renaming it away
                file("file-write-create", WS + "/.git"), // renaming a prepared one to it
                file("file-write-create", WS + "/.giT"));
        allows(
                evaluator,
                file("file-read-data", WS + "/.git/config"),
                file("file-read-data", WS + "/.git/hooks/pre-commit"),
                file("file-write-create", WS + "/.git/hooks-of-mine"),
                file("file-write-create", WS + "/.github/x"),
                file("file-write-create", WS + "/xgit/hooks/x"),
                file("file-write-create", WS + "/sub/.git/hooks/x"));
    }

    @ParameterizedTest
    @EnumSource(Reading.class)
    void offlineReachesNothing(Reading reading) {
        denies(
                evaluator(new Specs(), reading),
                connect("localhost:80"),
                connect("localhost:7142"),
                connect("192.0.2.1:443"),
                connect("192.0.2.53:53"),
                unix("/private/var/run/mDNSResponder"),
                unix("/private/var/run/docker.sock"),
                unix(STATE + "/palyra.sock"),
                unix(WS + "/ws.sock"),
                bind("localhost:8080"),
                plain("network-inbound"),
                plain("system-socket"),
                mach("com.apple.dnssd.service"));
    }

    @ParameterizedTest
    @EnumSource(Reading.class)
    void allowListReachesItsOwnProxyOnly(Reading reading) {
        Evaluator evaluator = evaluator(profile(new Specs(), reading, OptionalInt.of(49_999)));
        allows(evaluator, connect("localhost:49999"));
        denies(
                evaluator,
                connect("localhost:49998"),
                connect("localhost:7142"),
                connect("192.0.2.1:49999"),
                connect("192.0.2.1:443"),
                unix("/private/var/run/mDNSResponder"),
                unix(STATE + "/palyra.sock"),
                bind("localhost:8080"),
                mach("com.apple.dnssd.service"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Egress.class,
            names = {"NONE", "PREFLIGHT"})
    void openNetworkStillKeepsTheGatewaysPortsAndEverySocketAway(Egress egress) {
        for (Reading reading : Reading.values()) {
            Evaluator evaluator = evaluator(new Specs().egress(egress), reading);
            allows(
                    evaluator,
                    connect("192.0.2.1:443"),
                    connect("localhost:8080"),
                    bind("localhost:8080"),
                    unix("/private/var/run/mDNSResponder"));
            denies(
                    evaluator,
                    connect("localhost:7142"),
                    connect("localhost:7443"),
                    connect("192.0.2.7:7142"), // the same host by its other address
                    unix(STATE + "/palyra.sock"),
                    unix("/private/var/run/docker.sock"),
                    unix(WS + "/ws.sock"),
                    new Query("network-inbound", java.util.Map.of("local", "192.0.2.7:8080")));
        }
    }

    @ParameterizedTest
    @EnumSource(Reading.class)
    void furtherFoldersMayBeReadAndRunNotWritten(Reading reading) {
        Specs specs = new Specs();
        specs.readOnlyPaths = List.of("/opt/homebrew", "/Users/anna");
        Evaluator evaluator = evaluator(specs, reading);
        allows(
                evaluator,
                file("file-read-data", "/opt/homebrew/bin/git"),
                file("process-exec*", "/opt/homebrew/bin/git"),
                file("file-read-data", "/Users/anna/notes"));
        denies(
                evaluator,
                file("file-write-create", "/opt/homebrew/x"),
                file("file-read-data", STATE + "/journal/tape"), // also below a further folder
                file("process-exec*", STATE + "/x"),
                file("file-map-executable", STATE + "/x.dylib"));
    }

    @Test
    void programElsewhereMayBeRunButNotItsNeighbours() {
        Specs specs = new Specs();
        specs.argv = List.of("/Users/anna/tools/bin/tool");
        for (Reading reading : Reading.values()) {
            Evaluator evaluator = evaluator(specs, reading);
            allows(
                    evaluator,
                    file("process-exec*", "/Users/anna/tools/bin/tool"),
                    file("file-read-data", "/Users/anna/tools/bin/tool"),
                    node("file-read-metadata", "/Users/anna/tools", "DIRECTORY"));
            denies(
                    evaluator,
                    file("process-exec*", "/Users/anna/tools/bin/other"),
                    file("file-write-data", "/Users/anna/tools/bin/tool"));
        }
    }

    @Test
    void pathsNeverBecomeRules() {
        String hostile = "/Users/anna/hostile\") (allow file-read* (subpath \"/";
        Specs specs = new Specs();
        specs.workspace = hostile + "w";
        specs.argv = List.of(hostile + "p");
        specs.readOnlyPaths = List.of(hostile + "r");
        specs.protectedPaths = List.of(".git\") (allow default) (deny file-read* (literal \"/x");
        for (Reading reading : Reading.values()) {
            Profile profile = profile(specs, reading, OptionalInt.empty());
            Evaluator evaluator = evaluator(profile);
            assertFalse(profile.text().contains("hostile"), "a path is in the text");
            assertFalse(profile.text().contains("(allow default)"), "a path is in the text");
            denies(
                    evaluator,
                    file("file-read-data", "/Users/bert/secret"),
                    file("file-write-create", "/Users/anna/y"),
                    file("file-write-create", specs.workspace + "/" + specs.protectedPaths.get(0)));
            allows(evaluator, file("file-read-data", hostile + "w/a"));
        }
    }

    @Test
    void textIsTheSameForEveryWorkspace() {
        Specs other = new Specs();
        other.workspace = "/Users/bert/w";
        assertEquals(
                profile(new Specs(), Reading.STRICT, OptionalInt.empty()).text(),
                profile(other, Reading.STRICT, OptionalInt.empty()).text());
    }

    @Test
    void argumentsEndTheOptionsBeforeTheCommand() {
        Profile profile = profile(new Specs(), Reading.STRICT, OptionalInt.of(5));
        List<String> arguments = profile.arguments("/usr/bin/sandbox-exec");
        assertEquals("/usr/bin/sandbox-exec", arguments.get(0));
        assertEquals("-p", arguments.get(1));
        assertTrue(arguments.contains("-DWS=" + WS));
        assertTrue(arguments.contains("-DPROXY=localhost:5"));
        assertEquals("--", arguments.get(arguments.size() - 1));
    }

    @Test
    void withoutItsDenialsTheProfileWouldLetTheAbusesThrough() {
        String text =
                profile(new Specs(), Reading.BROAD, OptionalInt.empty())
                        .text()
                        .replaceAll("(?m)^\\(deny (?!default)", "(allow ");
        Evaluator evaluator =
                new Evaluator(
                        text,
                        profile(new Specs(), Reading.BROAD, OptionalInt.empty()).parameters());
        allows(
                evaluator,
                file("file-read-data", "/Users/bert/notes"),
                file("file-write-create", WS + "/.git/hooks/x"),
                file("file-write-unlink", WS + "/.git"),
                connect("localhost:7142"));
    }
}
