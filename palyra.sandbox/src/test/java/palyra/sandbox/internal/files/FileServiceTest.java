package palyra.sandbox.internal.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.CallFacts;
import palyra.api.core.sandbox.WorkspaceFiles.Target;
import palyra.api.core.sandbox.WorkspaceFiles.Written;
import palyra.api.core.tools.ToolExamination;
import palyra.sandbox.internal.workspace.Workspaces;
import palyra.shared.hash.Digests;
import palyra.shared.tool.FactsDigest;

/** What other bundles read and write in workspaces goes by the checks of the file tools. */
final class FileServiceTest {
    private static final byte[] CONTENT = "the plan".getBytes(StandardCharsets.UTF_8);
    private static final int MOST = 1_000;

    @TempDir Path temp;
    private FilesFixture fixture;
    private FileService service;
    private long room = Long.MAX_VALUE;
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void open() throws Exception {
        fixture = new FilesFixture(temp);
        service = service(fixture.changes());
    }

    private FileService service(WorkspaceChanges changes) {
        return new FileService(() -> fixture.workspaces, changes, this::requireRoom);
    }

    private void requireRoom(Path workspace, long bytes) {
        if (bytes > room) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED, "The workspace would hold more");
        }
    }

    private static Target target(String path) {
        return new Target("agent", path, "");
    }

    private Written write(Target target, boolean replace, byte[] content) throws Exception {
        return service.write(
                target,
                replace,
                MOST,
                out -> {
                    asked.incrementAndGet();
                    new ByteArrayInputStream(content).transferTo(out);
                });
    }

    private PalyraException refused(String path) {
        return assertThrows(PalyraException.class, () -> write(target(path), true, CONTENT));
    }

    private CallFacts facts(String path, boolean writes) {
        ToolExamination found = service.examine("agent", path, writes);
        return assertInstanceOf(ToolExamination.Facts.class, found, found.toString()).facts();
    }

    @Test
    void aFileIsWrittenWithItsFoldersAndRead() throws Exception {
        Written written = write(target("attachments/plan.txt"), false, CONTENT);
        assertEquals("attachments/plan.txt", written.path());
        assertEquals(CONTENT.length, written.bytes());
        assertEquals(Digests.sha256Hex(CONTENT), written.sha256());
        assertEquals("the plan", fixture.text("attachments/plan.txt"));

        assertEquals(List.of("attachments"), names(fixture.workspace));
        assertArrayEquals(CONTENT, service.read(target("attachments/plan.txt"), MOST).bytes());
        String file = fixture.workspace + "/attachments/plan.txt";
        assertEquals(Set.of(file), facts("attachments/plan.txt", true).writePaths());
        assertEquals(Set.of(file), facts("attachments/plan.txt", false).readPaths());
    }

    private static List<String> names(Path folder) throws IOException {
        try (var found = Files.list(folder)) {
            return found.map(path -> path.getFileName().toString()).toList();
        }
    }

    @Test
    void aFileThatIsThereIsReplacedOnlyWhenThatIsSaid() throws Exception {
        fixture.file("plan.txt", "mine");
        PalyraException taken =
                assertThrows(
                        PalyraException.class, () -> write(target("plan.txt"), false, CONTENT));
        assertEquals(ErrorCode.ALREADY_EXISTS, taken.code());
        assertEquals(0, asked.get(), "the content was asked for in vain");
        assertEquals("mine", fixture.text("plan.txt"));
        assertTrue(write(target("plan.txt"), true, CONTENT).replaced());
        assertEquals("the plan", fixture.text("plan.txt"));
    }

    @Test
    void aFileThatComesWhileTheContentComesIsKept() throws Exception {
        PalyraException taken =
                assertThrows(
                        PalyraException.class,
                        () ->
                                service.write(
                                        target("plan.txt"),
                                        false,
                                        MOST,
                                        out -> fixture.file("plan.txt", "mine")));
        assertEquals(ErrorCode.ALREADY_EXISTS, taken.code());
        assertEquals("mine", fixture.text("plan.txt"));
    }

    @ParameterizedTest
    @CsvSource({
        "../outside/new, sandbox.path_outside",
        "a/../../outside/new, sandbox.path_outside",
        "/etc/passwd, sandbox.path_outside",
        "led/new, sandbox.path_link",
        ".git/config, sandbox.path_protected",
        ".bashrc, sandbox.path_protected",
        ".GIT/hooks/pre-commit, sandbox.path_protected",
        "hooks/pre-commit, sandbox.path_protected",
        "., tool.input_invalid",
    })
    void pathsThatFileToolsRefuseAreRefused(String path, String code) throws Exception {
        Files.createSymbolicLink(fixture.workspace.resolve("led"), fixture.outside);
        Files.createSymbolicLink(fixture.workspace.resolve("hooks"), Path.of(".git"));
        Map<String, String> before = fixture.snapshot();
        ToolExamination.Refused examined =
                assertInstanceOf(
                        ToolExamination.Refused.class, service.examine("agent", path, true));
        assertEquals(code, examined.reasonCode(), examined.reason());
        assertEquals(examined.reason(), refused(path).getMessage());
        assertEquals(0, asked.get());
        assertEquals(before, fixture.snapshot());
        assertEquals(List.of("secret"), names(fixture.outside));
    }

    @ParameterizedTest
    @CsvSource({
        "../outside/secret, DENIED",
        "led, DENIED",
        "no, NOT_FOUND",
        "sub, INVALID_ARGUMENT"
    })
    void whatIsOutsideIsNotRead(String path, ErrorCode code) throws Exception {
        Files.createSymbolicLink(
                fixture.workspace.resolve("led"), fixture.outside.resolve("secret"));
        fixture.file("sub/file", "x");
        PalyraException refused =
                assertThrows(PalyraException.class, () -> service.read(target(path), MOST));
        assertEquals(code, refused.code(), refused.getMessage());
    }

    @Test
    void theFoldersOfTheGatewayAreNoWorkspaces() throws Exception {
        Path state = Files.createDirectories(fixture.base.resolve("state"));
        Workspaces overlapping =
                new Workspaces(
                        fixture.base.resolve("root"),
                        Map.of("agent", state),
                        List.of(fixture.base.resolve("state")));
        FileService other =
                new FileService(() -> overlapping, fixture.changes(), (workspace, bytes) -> {});
        assertEquals(
                ErrorCode.DENIED,
                assertThrows(
                                PalyraException.class,
                                () -> other.write(target("a"), true, MOST, out -> out.write(1)))
                        .code());
        assertInstanceOf(ToolExamination.Refused.class, other.examine("agent", "a", true));
        assertEquals(List.of(), names(state));
    }

    @Test
    void noMoreIsTakenThanIsAllowed() throws Exception {
        byte[] large = new byte[MOST + 1];
        PalyraException refused =
                assertThrows(PalyraException.class, () -> write(target("a"), true, large));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        write(target("a"), true, Arrays.copyOf(large, MOST));
        refused = assertThrows(PalyraException.class, () -> service.read(target("a"), MOST - 1));
        assertEquals(ErrorCode.RESOURCE_EXHAUSTED, refused.code());
        room = MOST - 1;
        refused =
                assertThrows(PalyraException.class, () -> write(target("b"), true, new byte[MOST]));
        assertEquals("The workspace would hold more", refused.getMessage());
        assertEquals(List.of("a"), names(fixture.workspace));
    }

    @Test
    void aFileWithAnotherNameElsewhereIsNotWritten() throws Exception {
        Files.createLink(fixture.workspace.resolve("twin"), fixture.outside.resolve("secret"));
        assertEquals(ErrorCode.DENIED, refused("twin").code());
        assertEquals(
                FilesFixture.SENTINEL + "\n", Files.readString(fixture.outside.resolve("secret")));
    }

    @Test
    void aLinkThatLeadsElsewhereAfterTheDecisionIsRefused() throws Exception {
        fixture.file("a/file", "a");
        fixture.file("b/file", "b");
        Path link = Files.createSymbolicLink(fixture.workspace.resolve("led"), Path.of("a"));
        String decided = FactsDigest.of(facts("led/file", false));
        Target target = new Target("agent", "led/file", decided);
        assertArrayEquals("a".getBytes(StandardCharsets.UTF_8), service.read(target, 9).bytes());
        Files.delete(link);
        Files.createSymbolicLink(link, Path.of("b"));
        PalyraException refused =
                assertThrows(PalyraException.class, () -> service.read(target, 9));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertTrue(refused.getMessage().contains("leads elsewhere"), refused.getMessage());
    }

    /** Larger than what patches change: a file that a crash left is taken back all the same. */
    @Test
    void aLargeFileOfAnInterruptedCallIsTakenBack() throws Exception {
        FileService dying =
                service(
                        fixture.changes(
                                new PatchStepListener() {
                                    @Override
                                    void before(String step) {
                                        if (step.equals("end") || step.startsWith("take back")) {
                                            throw new IllegalStateException("killed");
                                        }
                                    }
                                }));
        byte[] large = new byte[9 << 20];
        assertThrows(
                IllegalStateException.class,
                () -> dying.write(target("large"), true, 10 << 20, out -> out.write(large)));
        assertTrue(Files.exists(fixture.workspace.resolve("large")));
        write(target("next"), true, CONTENT);
        assertEquals(List.of("next"), names(fixture.workspace));
    }
}
