package palyra.sandbox.tierc.linux.internal;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.sandbox.LaunchPlan;
import palyra.api.core.sandbox.LaunchPlan.Opened;
import palyra.shared.seccomp.Architecture;
import palyra.shared.seccomp.Profile;
import palyra.shared.seccomp.SeccompFilter;

/** What Tier C plans, and what it says is in force. */
class TierCBackendTest extends TierCFixture {
    @Test
    void bubblewrapGetsNothingButDescriptorsAndTheCommand() {
        LaunchPlan plan = plan(Egress.STRICT);
        assertEquals(
                List.of(bwrap.toString(), "--args", "5", "--", "/bin/sh", "-c"),
                plan.argv().subList(0, 6));
        assertEquals(List.of("sh", "128", "/usr/bin/env", "x"), plan.argv().subList(7, 11));
        assertEquals(Map.of(), plan.environment());
        assertEquals(4, plan.statusDescriptor());
        assertTrue(plan.landlock().isEmpty() && plan.seccomp().isEmpty());
        assertArrayEquals(
                SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64).bytes(), passed(plan, 3));
        assertTrue(
                new String(passed(plan, 10), StandardCharsets.UTF_8).startsWith("sandbox:x:1000"));
        assertTrue(
                plan.passed().stream().filter(one -> one.descriptor() < 10).count() <= 3,
                "the launcher needs single digits for its own");
    }

    @Test
    void everythingIsUnsharedNothingIsCapableAndTheRootIsReadOnlyLast() {
        List<String> words = options(plan(Egress.STRICT));
        for (String option :
                List.of(
                        "--unshare-user",
                        "--unshare-ipc",
                        "--unshare-pid",
                        "--unshare-uts",
                        "--unshare-net",
                        "--disable-userns",
                        "--die-with-parent",
                        "--new-session",
                        "--clearenv")) {
            assertTrue(words.contains(option), option);
        }
        assertTrue(has(words, "--cap-drop", "ALL"));
        assertTrue(has(words, "--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys"));
        assertTrue(has(words, "--seccomp", "3"));
        assertTrue(has(words, "--remount-ro", "/dev"));
        assertEquals(List.of("--remount-ro", "/"), words.subList(words.size() - 2, words.size()));
        assertFalse(words.contains("/etc/resolv.conf"));
    }

    @Test
    void everyTemporaryFileSystemHasASize() {
        List<String> words = options(plan(Egress.STRICT));
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).equals("--tmpfs")) {
                assertEquals("--size", words.get(at - 2), words.get(at + 1));
            }
        }
        assertTrue(has(words, "--size", "67108864", "--tmpfs", "/tmp"));
    }

    @Test
    void onlyTheWorkspaceAndTheFoldersAboveProtectedPathsAreBoundForWriting() throws IOException {
        Files.createDirectories(workspace.resolve(".git/hooks"));
        LaunchPlan plan = plan(Egress.STRICT);
        List<String> words = options(plan);
        assertFalse(words.contains("--bind"), "a path may lead elsewhere when it is mounted");
        assertEquals(
                List.of(workspace.toString(), workspace + "/.git"), bound(plan, "--bind-fd", 0));
        assertEquals(
                List.of(workspace.toString(), workspace + "/.git"), bound(plan, "--bind-fd", 1));
        assertEquals(List.of(workspace + "/.git/hooks"), bound(plan, "--ro-bind-fd", 0));
        assertEquals(List.of(workspace + "/.git/hooks"), bound(plan, "--ro-bind-fd", 1));
        assertEquals(
                plan.opened().stream().map(one -> "" + one.descriptor()).sorted().toList(),
                descriptors(words),
                "each is named once: one that bubblewrap does not use stays open in the command");
    }

    /** Returns what an option binds by descriptor: what is opened (0), where it is shown (1). */
    private static List<String> bound(LaunchPlan plan, String option, int which) {
        List<String> words = options(plan);
        List<String> found = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).equals(option)) {
                String number = words.get(at + 1);
                found.add(
                        which == 1
                                ? words.get(at + 2)
                                : plan.opened().stream()
                                        .filter(one -> number.equals("" + one.descriptor()))
                                        .map(Opened::path)
                                        .findFirst()
                                        .orElseThrow());
            }
        }
        return found;
    }

    private static List<String> descriptors(List<String> words) {
        List<String> found = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            if (words.get(at).endsWith("bind-fd")) {
                found.add(words.get(at + 1));
            }
        }
        found.sort(null);
        return found;
    }

    @Test
    void furtherFoldersAreOpenedWhereTheyLeadWhenTheyAreChecked() throws IOException {
        Path real = Files.createDirectory(root.resolve("data"));
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        backend =
                new TierCBackend(
                        launcher,
                        new TierCSettings(
                                bwrap.toString(),
                                socat.toString(),
                                List.of(link.toString(), root + "/absent")),
                        root.resolve("sys"));
        backend.probe();
        LaunchPlan plan = plan(Egress.STRICT);
        assertTrue(bound(plan, "--ro-bind-fd", 0).contains(real.toString()));
        assertTrue(bound(plan, "--ro-bind-fd", 1).contains(link.toString()));
        assertFalse(options(plan).contains(root + "/absent"));
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("/proc"));
        denied(ErrorCode.DENIED, "never shown", spec(Egress.STRICT, Optional.empty(), Set.of()));
    }

    @Test
    void strictSaysExactlyWhatIsInForce() {
        assertEquals(
                "strict tier=c bwrap=0.8.0 ns=user,mnt,pid,ipc,uts,net caps=none seccomp=sha256:"
                        + SeccompFilter.of(Profile.OFFLINE, Architecture.X86_64).sha256()
                        + " rlimits=cpu,fsize,nofile,core network=offline nproc=inner protected=0"
                        + " repositories=0",
                plan(Egress.STRICT).enforcement());
    }

    @Test
    void otherModesShareTheNetworkButNotTheGatewaysPorts() {
        LaunchPlan plan = plan(Egress.NONE);
        List<String> words = options(plan);
        assertFalse(words.contains("--unshare-net"));
        assertTrue(words.contains("/etc/resolv.conf"));
        LaunchPlan.Landlock landlock = plan.landlock().orElseThrow();
        assertFalse(landlock.handleFiles(), "rules for files would keep bubblewrap from mounting");
        assertTrue(landlock.restrictTcp() && landlock.scoped());
        assertFalse(landlock.connectPorts().contains(7180));
        assertEquals(65_535, landlock.connectPorts().size());
        assertArrayEquals(
                SeccompFilter.of(Profile.NOUNIX, Architecture.X86_64).bytes(), passed(plan, 3));
        assertTrue(plan.enforcement().contains(" landlock=7 "));
        assertTrue(plan.enforcement().contains(" network=host,tcp-except:7180 "));
    }

    @Test
    void aProxyIsBridgedFromANetworkOfItsOwn() throws IOException {
        Path proxy = Files.createDirectory(root.resolve("proxy"));
        Files.createFile(proxy.resolve("e.sock"));
        LaunchPlan plan = plan(spec(Egress.STRICT, Optional.of(proxy.toString()), Set.of()));
        List<String> words = options(plan);
        assertTrue(words.contains("--unshare-net"));
        assertTrue(bound(plan, "--ro-bind-fd", 0).contains(proxy.toString()));
        assertTrue(bound(plan, "--ro-bind-fd", 1).contains("/run/sbx"));
        assertTrue(has(words, "--setenv", "https_proxy", "http://127.0.0.1:3128"));
        String java = words.get(words.indexOf("PALYRA_JAVA_OPTIONS") + 1);
        assertTrue(java.contains("-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=3128"), java);
        assertTrue(has(words, "--setenv", "NO_PROXY", "localhost,127.0.0.1,::1,0.0.0.0,sandbox"));
        assertTrue(plan.argv().contains(socat.toString()));
        assertArrayEquals(
                SeccompFilter.of(Profile.DEFAULT, Architecture.X86_64).bytes(), passed(plan, 3));
        assertTrue(plan.enforcement().contains(" network=proxy "));
    }
}
