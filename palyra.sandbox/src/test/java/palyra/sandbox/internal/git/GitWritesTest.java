package palyra.sandbox.internal.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files from which git takes the paths to which it writes: indexes and the list of conflicts. */
class GitWritesTest extends GitAttacks {
    private static final String H = "0123456789012345678901234567890123456789";
    private static final int SIZE = 72; // of an entry made here
    private static final String CONFLICTS = ".git/MERGE_RR";
    private static final String SOLVED =
            "R=.git/rr-cache/"
                    + H
                    + "; mkdir -p $R; cp .git/config $R/preimage; (cat .git/config;"
                    + " printf '[core]\\n\\tfsmonitor = \"M; false\"\\n') > $R/postimage; ";

    private static final String HOOK =
            "mkdir -p xgit/hooks; { echo '#!/bin/sh'; echo 'M'; } > xgit/hooks/post-checkout;"
                    + " chmod +x xgit/hooks/post-checkout; git add xgit; rm -r xgit; ";

    private static final String RUNS_HOOK = "git checkout -- .; git checkout -q -b other";

    private static String put(String file) {
        return "sed -i 's,xgit/,.git/,' " + file;
    }

    static Stream<Attack> attacks() {
        String commit = COMMIT + "; git status";
        return Stream.of(
                Attack.of(commit, SOLVED + "printf '" + H + ".-1\\t.git/config\\0' > " + CONFLICTS),
                Attack.of(
                        commit,
                        SOLVED + "printf '" + H + ".-1\\tx/../.git/config\\0' > " + CONFLICTS,
                        "mkdir x"),
                // The link comes when the list is there already: what it leads to is copied.
                Attack.of(
                        "echo secret > ../.profile; "
                                + COMMIT
                                + "; grep -q secret .git/rr-cache/"
                                + H
                                + "/postimage && M",
                        "mkdir d; touch d/z; R=.git/rr-cache/"
                                + H
                                + "; mkdir -p $R; : > $R/preimage; printf '"
                                + H
                                + "\\td/z\\0' > "
                                + CONFLICTS,
                        "rm d/z; ln -s ../../.profile d/z"),
                Attack.of(RUNS_HOOK, HOOK + put(".git/index")),
                Attack.of(
                        "git restore .; sh ../.bashrc",
                        "mkdir xx; echo 'M' > xx/.bashrc; git add xx; rm -r xx;"
                                + " sed -i 's,xx/.bashrc,../.bashrc,' .git/index"),
                Attack.of(
                        RUNS_HOOK,
                        HOOK + "git update-index --index-version 4; " + put(".git/index")),
                Attack.of(
                        RUNS_HOOK,
                        HOOK + "git update-index --split-index; " + put(".git/sharedindex.*")),
                // A part that no index names yet.
                Attack.of(
                        RUNS_HOOK,
                        HOOK
                                + "git update-index --split-index; "
                                + put(".git/sharedindex.*")
                                + "; cp .git/index kept; git read-tree HEAD",
                        "cp kept .git/index"));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void gitWritesNowhereElse(Attack attack) throws Exception {
        isUndone(attack);
    }

    @Test
    void whatGitWritesItselfStays() throws Exception {
        repository();
        harmless(
                "git config rerere.enabled true; git checkout -q -b s; mkdir d; echo s > d/a;"
                        + " git add d; git commit -qm s; git checkout -q -; mkdir -p d; echo m > d/a;"
                        + " git add d; git commit -qm m");
        harmless("git merge -q s >/dev/null || true");
        assertEquals("d/a", sh("tr -d '\\000' < .git/MERGE_RR | cut -f2"));
        harmless("git status; echo both > d/a; git commit -qam both");
        harmless("git worktree add -q tree; cd tree; echo w > w; git add w; git commit -qm w");
        for (String version : List.of("2", "3", "4")) {
            harmless(
                    "git update-index --index-version "
                            + version
                            + "; echo "
                            + version
                            + " > a;"
                            + " git add a; touch n; git add -N n");
        }
        harmless("git update-index --split-index; echo split > a; git add a; rm n; git add n");
        harmless("git update-index --no-split-index; git sparse-checkout set --sparse-index d");
        harmless(
                "git sparse-checkout disable; git init -q --object-format=sha256 new; cd new;"
                        + " echo n > n; git add n; git commit -qm n");
        harmless("cd new; echo more > n; git add n; git update-index --index-version 4");
        harmless("git clone -q --bare . bare.git; git stash -q || true; git reset -q --hard");
    }

    @Test
    void anIndexOfAnyRepositoryIsSetAsideAndSaid() throws Exception {
        repository();
        harmless("git worktree add -q tree");
        undone(
                1,
                "entry '.git/hooks/post-checkout'",
                "cd tree; "
                        + filled(HOOK)
                        + "sed -i 's,xgit/,.git/,' ../.git/worktrees/tree/index");
        assertTrue(Files.exists(workspace.resolve(".git/worktrees/tree/index.quarantined")));
        undone(
                1,
                "leads out",
                "git init -q --object-format=sha256 new; cd new; "
                        + filled(HOOK)
                        + put(".git/index"));
        undone(1, "index", "truncate -s -30 .git/index");
        harmless("git reset -q; git status");
        undone(1, "index", "printf junk > .git/index");
        undone(1, "MERGE_RR", "printf junk > .git/MERGE_RR");
        undone(1, "MERGE_RR", "printf '" + H + "\\t.vscode/tasks.json\\0' > .git/MERGE_RR");
        undone(1, "MERGE_RR", "printf '" + H + "\\ta' > .git/MERGE_RR");
    }

    /** Which ids the entries have decides what their names are. */
    @Test
    void anIndexIsReadAgainWhenItsRepositoryHasOtherIds() throws Exception {
        repository();
        undone(
                1,
                "index",
                "git config core.repositoryformatversion 1;"
                        + " git config extensions.objectFormat sha256");
    }

    @Test
    void anIndexWithVeryManyEntriesIsReadQuickly() throws Exception {
        repository();
        sh("git config index.threads 4");
        String many =
                "seq 100000 | sed 's,.*,100644 "
                        + H
                        + " 0\tsrc/some/folder/of/a/project/&.java,' |"
                        + " git update-index --index-info";
        long start = System.nanoTime();
        harmless(many + "; git update-index --index-version 4");
        assertEquals("100001", sh("git ls-files | wc -l"));
        assertTrue(System.nanoTime() - start < 30_000_000_000L, "in seconds");
        undone(1, "leads out", "sed -i 's,src/some,../xsome,' .git/index");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/a",
                "a/",
                "a//b",
                ".",
                "a/..",
                "../a",
                ".git",
                "a/.GIT/b",
                "git~1",
                ".git ./x",
                ".git::$INDEX_ALLOCATION",
                "a\\.git\\x",
                ".g\u00e2\u0080\u008cit/x",
                "\u00ef\u00bb\u00bf.git"
            })
    void namesThatGitRefusesAreRefused(String path) {
        assertFalse(GitNames.isPlain(path, false));
    }

    @Test
    void otherNamesArePlain() {
        for (String path : List.of("a", ".gitignore", "a/.github/b", "a.git/x", "...", "git~2")) {
            assertTrue(GitNames.isPlain(path, true), path);
        }
        assertTrue(GitNames.isPlain(".gitmodules", false));
        assertFalse(GitNames.isPlain("a/.gitmodules", true));
    }

    private static byte[] entries(String begin, int count, int sub) {
        ByteBuffer all = ByteBuffer.allocate(count * SIZE);
        IntStream.range(0, count)
                .forEach(
                        number -> {
                            byte[] name =
                                    String.format("%s/%05d", begin, number)
                                            .getBytes(StandardCharsets.US_ASCII);
                            int at = all.position();
                            all.position(at + 24).putInt(0100644);
                            all.position(at + 40).put(HexFormat.of().parseHex(H));
                            all.putShort((short) (name.length - sub)).put(name);
                            all.position(at + SIZE);
                        });
        return all.array();
    }

    private static void extension(ByteBuffer to, String name, byte[] content) {
        to.put(name.getBytes(StandardCharsets.US_ASCII)).putInt(content.length).put(content);
    }

    /**
     * Makes an index of which the entries are other ones for git with threads than for one that
     * reads from the begin to the end.
     */
    private static byte[] twofold(int count) throws Exception {
        byte[] plain = entries("aa", count, 0);
        byte[] evil = entries("..", count, 0);
        ByteBuffer all = ByteBuffer.allocate(12 + 2 * plain.length + 200);
        all.putInt(0x44495243).putInt(2).putInt(count).put(plain);
        int end = all.position();
        extension(all, "XXXX", evil);
        int place = end + 8;
        ByteBuffer table = ByteBuffer.allocate(20).putInt(1);
        table.putInt(place).putInt(count / 2);
        table.putInt(place + count / 2 * SIZE).putInt(count - count / 2);
        extension(all, "IEOT", table.array());
        MessageDigest heads = MessageDigest.getInstance("SHA-1");
        heads.update(
                ByteBuffer.allocate(8)
                        .put("XXXX".getBytes(StandardCharsets.US_ASCII))
                        .putInt(evil.length)
                        .array());
        heads.update(
                ByteBuffer.allocate(8)
                        .put("IEOT".getBytes(StandardCharsets.US_ASCII))
                        .putInt(20)
                        .array());
        extension(all, "EOIE", ByteBuffer.allocate(24).putInt(end).put(heads.digest()).array());
        byte[] text = new byte[all.position()];
        all.flip().get(text);
        ByteBuffer whole = ByteBuffer.allocate(text.length + 20).put(text);
        return whole.put(MessageDigest.getInstance("SHA-1").digest(text)).array();
    }

    @Test
    void tablesForThreadsNameNoOtherEntries() throws Exception {
        repository();
        Path made = folder.resolve("made");
        Files.write(made, twofold(40_000));
        sh("cp ../made .git/index; git -c index.threads=4 ls-files > ../seen");
        assertTrue(Files.readString(folder.resolve("seen")).startsWith("../00000"), "the attack");
        sh("git read-tree HEAD");
        undone(1, "table names other entries", "cp ../made .git/index");
    }

    private String fault(byte[] content) throws IOException {
        Path file = Files.write(folder.resolve("one"), content);
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            IndexFile.check(channel, 20, () -> false);
            return "";
        } catch (IndexFile.Fault e) {
            return e.getMessage();
        }
    }

    private static byte[] index(byte[] entries, int count, byte[] rest) {
        return ByteBuffer.allocate(12 + entries.length + rest.length + 20)
                .putInt(0x44495243)
                .putInt(2)
                .putInt(count)
                .put(entries)
                .put(rest)
                .array();
    }

    @Test
    void whatGitCouldReadOtherwiseIsNotUnderstood() throws Exception {
        byte[] two = entries("aa", 2, 0);
        assertEquals("", fault(index(two, 2, new byte[0])));
        assertTrue(fault(index(two, 1, new byte[0])).contains("part"), "bytes that are left");
        assertTrue(fault(index(two, 3, new byte[0])).contains("fewer"));
        assertTrue(fault(index(two, 3, new byte[40])).contains("ends too early"));
        assertTrue(fault(index(two, -1, new byte[0])).contains("fewer"));
        assertTrue(
                fault(index(entries("aa", 2, 1), 2, new byte[0])).contains("as long as it says"));
        ByteBuffer part = ByteBuffer.allocate(8);
        extension(part, "abcd", new byte[0]);
        assertTrue(fault(index(two, 2, part.array())).contains("not known"));
        ByteBuffer end = ByteBuffer.allocate(32);
        extension(end, "EOIE", ByteBuffer.allocate(24).putInt(12).array());
        assertTrue(fault(index(two, 2, end.array())).contains("another end"));
        ByteBuffer within = ByteBuffer.allocate(48);
        byte[] hidden = ByteBuffer.allocate(40).put(8, end.array()).array();
        extension(within, "XXXX", hidden);
        assertTrue(fault(index(two, 2, within.array())).contains("another end"));
    }
}
