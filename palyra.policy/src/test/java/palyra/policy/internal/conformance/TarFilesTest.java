package palyra.policy.internal.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.policy.internal.conformance.Corpus.Result;

final class TarFilesTest {
    private static final String USTAR = "ustar\00000";
    private static final String GNU = "ustar  \0";

    @TempDir private Path folder;

    private static CorpusFiles read(byte[] bytes) throws Exception {
        return TarFiles.read(new ByteArrayInputStream(bytes), "it.tar");
    }

    private Result run(byte[] bytes) throws Exception {
        return Corpus.run(Files.write(folder.resolve("corpus.tar.gz"), bytes));
    }

    private static Corpus corpus() {
        String reads = Corpus.request("read", 1, "allow", "policy0", "policy2");
        return new Corpus().with("corpus/one.json", Corpus.test("true", reads));
    }

    @Test
    void runsArchivesZippedOrNot() throws Exception {
        byte[] tar = Tar.of(corpus().files);
        assertEquals(new Result(0, "1 passed, 0 failed\n", ""), run(tar));
        assertEquals(new Result(0, "1 passed, 0 failed\n", ""), run(Tar.gzip(tar)));
        Corpus spoilt =
                new Corpus()
                        .with(
                                "corpus/one.json",
                                Corpus.test("true", Corpus.request("read", 1, "deny", "", "")));
        Result failed = run(Tar.gzip(Tar.of(spoilt.files)));
        assertEquals(1, failed.exit());
        assertTrue(failed.out().contains("FAILED corpus/one.json, request 1"), failed.out());
    }

    @Test
    void refusesAnArchiveThatWasCutOffAnywhere() throws Exception {
        byte[] tar = Tar.of(corpus().files);
        byte[] zipped = Tar.gzip(tar);
        for (int cut = 1; cut < 40; cut++) {
            for (byte[] whole : List.of(tar, zipped)) {
                int end = whole.length * cut / 40;
                end = whole == tar ? Math.min(end, tar.length - 1024) : end;
                Result result = run(Arrays.copyOf(whole, end));
                assertEquals(2, result.exit(), "cut at " + end + ": " + result);
                assertTrue(result.err().contains("broken or was cut off"), result.err());
            }
        }
        assertEquals(2, run(Arrays.copyOf(zipped, zipped.length - 1)).exit());
    }

    @Test
    void refusesAnArchiveWithAFlippedBit() throws Exception {
        byte[] tar = Tar.of(corpus().files);
        for (int at : List.of(3, 125, 150, 257)) {
            byte[] flipped = tar.clone();
            flipped[at] ^= 1;
            assertEquals(2, run(flipped).exit(), "flipped at " + at);
        }
        byte[] zipped = Tar.gzip(tar);
        for (int at = 20; at < zipped.length; at += 97) {
            byte[] flipped = zipped.clone();
            flipped[at] ^= 1;
            assertEquals(2, run(flipped).exit(), "flipped at " + at);
        }
    }

    @Test
    void refusesWhatIsNoArchive() throws Exception {
        assertTrue(run(new byte[0]).err().contains("broken"));
        assertTrue(run("no archive at all".repeat(99).getBytes("UTF-8")).err().contains("no tar"));
        Result empty = run(new byte[1024]);
        assertEquals(2, empty.exit());
        assertTrue(empty.err().contains("holds no test"), empty.err());
    }

    @Test
    void refusesAFileThatNoTestHas() {
        byte[] tar = new Tar().entry("big", '0', "x", USTAR).end();
        System.arraycopy("77777777777".getBytes(), 0, tar, 124, 11);
        int sum = 8 * ' ';
        for (int i = 0; i < 512; i++) {
            sum += i >= 148 && i < 156 ? 0 : tar[i] & 0xff;
        }
        System.arraycopy(String.format("%06o\0 ", sum).getBytes(), 0, tar, 148, 8);
        CorpusException refused = assertThrows(CorpusException.class, () -> read(tar));
        assertTrue(refused.getMessage().contains("at most"), refused.getMessage());
    }

    @Test
    void readsTheLongNamesOfEveryKindOfTar() throws Exception {
        String deep = "d".repeat(90) + "/" + "e".repeat(90);
        String pax = "path=" + deep + "/pax\n";
        int length = pax.length() + 4;
        byte[] tar =
                new Tar()
                        .entry("./plain/a", '0', "plain", USTAR)
                        .entry("b", '0', "prefixed", USTAR, "some/folder")
                        .entry("c", '0', "gnu", GNU, "13 digits of time")
                        .entry("folder/", '5', "", USTAR)
                        .entry("././@LongLink", 'L', deep + "/gnu\0", GNU)
                        .entry("dddd", '0', "long", GNU)
                        .entry("header", 'x', length + " " + pax, USTAR)
                        .entry("eeee", '0', "extended", USTAR)
                        .entry("link", '2', "", USTAR)
                        .entry("../../etc/x", '0', "up", USTAR)
                        .end();
        CorpusFiles files = read(tar);
        assertEquals(
                List.of("c", deep + "/gnu", deep + "/pax", "etc/x", "plain/a", "some/folder/b"),
                files.names());
        assertEquals("long", files.text(deep + "/gnu"));
        assertEquals("extended", files.text(deep + "/pax"));
        assertEquals("prefixed", files.text("some/folder/b"));
    }

    @Test
    void findsTheNearestFile() throws Exception {
        CorpusFiles files =
                read(
                        Tar.of(
                                Map.of(
                                        "a/b/t.json",
                                        "1",
                                        "a/b/p",
                                        "2",
                                        "a/p",
                                        "3",
                                        "p",
                                        "4",
                                        "q",
                                        "5")));
        assertEquals(Optional.of("a/b/p"), files.find("a/b/t.json", "p"));
        assertEquals(Optional.of("q"), files.find("a/b/t.json", "./q"));
        assertEquals(Optional.of("a/p"), files.find("a/b/t.json", "a/p"));
        assertEquals(Optional.empty(), files.find("a/b/t.json", "z"));
        assertEquals("2", files.text("a/b/p"));
    }

    @Test
    void keepsContentAsItWas() throws Exception {
        StringBuilder text = new StringBuilder();
        new java.util.Random(7).ints(200_000, 32, 0x2000).forEach(text::appendCodePoint);
        CorpusFiles files = read(Tar.gzip(Tar.of(Map.of("noise", text.toString(), "empty", ""))));
        assertEquals(text.toString(), files.text("noise"));
        assertEquals("", files.text("empty"));
    }
}
