package palyra.console.internal.panel.shipped;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.DecisionSource;
import palyra.api.access.Permit;
import palyra.api.access.Principal;
import palyra.api.access.PrincipalKind;
import palyra.api.console.Block;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelSubmission;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner;
import palyra.console.internal.command.Commands;
import palyra.console.internal.upload.Uploads;
import palyra.shared.gate.Gate;

class BundlesPanelTest {
    private static final byte[] JAR = {1, 2, 3};
    private static final Principal ANN =
            new Principal("user:ann", PrincipalKind.USER, Set.of("operator"), Set.of(), "s");

    @TempDir Path folder;
    private final List<String> asked = new ArrayList<>();
    private final List<byte[]> inputs = new ArrayList<>();
    private boolean trusted;
    private String swaps = "[]";
    private Uploads uploads;
    private BundlesPanel panel;
    private String path;

    @BeforeEach
    void open() throws Exception {
        uploads = new Uploads(folder, () -> 1);
        Gate<CommandRunner> gate = new Gate<>("The shell", ErrorCode.GATEWAY_UNAVAILABLE, 1_000);
        gate.add(this::start, Map.of());
        panel = new BundlesPanel(new Commands(gate), uploads);
        path =
                "palyra.models/jar/"
                        + uploads.keep("user:ann", "palyra.models", new ByteArrayInputStream(JAR))
                                .id();
    }

    private CommandRunner.CommandExecution start(
            Principal caller, List<String> argv, byte[] input, CommandRunner.Limits limits) {
        String line = String.join(" ", argv);
        asked.add(line);
        inputs.add(input);
        String said =
                line.startsWith("deploy check")
                        ? "{\"bundle\":\"palyra.models\",\"sha256\":\"ab\",\"trusted\":"
                                + trusted
                                + "}"
                        : line.equals("swap status --json")
                                ? swaps
                                : "{\"fromVersion\":\"1\",\"toVersion\":\"2\",\"restarts\":[\"x of y\"]}";
        int code = line.startsWith("deploy check") && !trusted ? 1 : 0;
        return new CommandRunner.CommandExecution() {
            @Override
            public CommandResult await() {
                return new CommandResult(code, said.getBytes(StandardCharsets.UTF_8), "", false);
            }

            @Override
            public void stop() {}
        };
    }

    private List<Block> page(String of) {
        return panel.show(new PanelRequest(ANN, permit("bundle.list"), of, Map.of())).blocks();
    }

    private static Permit permit(String action) {
        return new Permit("01", ANN, action, "", DecisionSource.POLICY, "", 1);
    }

    private static List<String> forms(List<Block> blocks) {
        return blocks.stream()
                .filter(Block.Form.class::isInstance)
                .map(block -> ((Block.Form) block).id())
                .toList();
    }

    private void submit(String of, String form) {
        panel.submit(new PanelSubmission(ANN, permit("bundle.swap"), of, form, Map.of()));
    }

    @Test
    void aJarThatIsNotTrustedCanBePinnedAndNotSwapped() {
        List<Block> blocks = page(path);
        assertEquals(List.of("pin", "forget"), forms(blocks));
        assertTrue(blocks.toString().contains("is not trusted"), blocks.toString());
        PalyraException refused = assertThrows(PalyraException.class, () -> submit(path, "swap"));
        assertEquals(ErrorCode.DENIED, refused.code());
        assertFalse(asked.toString().contains("--no-wait"), asked.toString());
        submit(path, "pin");
        assertTrue(asked.getLast().startsWith("deploy pin "), asked.getLast());
        assertTrue(asked.getLast().endsWith(" -- sha256:ab"), asked.getLast());
    }

    @Test
    void aTrustedJarIsSwappedByTheDigestThatWasLookedAt() {
        trusted = true;
        List<Block> blocks = page(path);
        assertEquals(List.of("swap", "forget"), forms(blocks));
        assertTrue(blocks.toString().contains("x of y"), "what would restart");
        assertEquals("swap --json --sha256=ab --dry-run -- palyra.models -", asked.getLast());
        Block.Form swap = (Block.Form) blocks.get(blocks.size() - 2);
        assertTrue(swap.sensitive() && !swap.confirm().isEmpty());
        submit(path, "swap");
        assertEquals("swap --json --sha256=ab --no-wait -- palyra.models -", asked.getLast());
        assertArrayEquals(JAR, inputs.getLast());
        assertEquals(
                ErrorCode.NOT_FOUND,
                assertThrows(PalyraException.class, () -> page(path)).code(),
                "it is forgotten");
    }

    @Test
    void aJarOfAnotherPersonIsNotFound() {
        Principal bob =
                new Principal("user:bob", PrincipalKind.USER, Set.of("operator"), Set.of(), "s");
        PanelRequest request = new PanelRequest(bob, permit("bundle.list"), path, Map.of());
        assertEquals(
                ErrorCode.NOT_FOUND,
                assertThrows(PalyraException.class, () -> panel.show(request)).code());
    }

    @Test
    void showsWhatABundleOffersAndNeeds() {
        List<Block> blocks = page("palyra.models");
        assertTrue(asked.contains("bundle inspect --json -- capability * palyra.models"));
        assertTrue(asked.contains("bundle inspect --json -- requirement * palyra.models"));
        assertEquals(
                List.of("Offers", "Needs"),
                blocks.stream()
                        .filter(Block.Details.class::isInstance)
                        .map(block -> ((Block.Details) block).summary())
                        .toList());
    }

    @Test
    void offersTheWayBackOnlyAfterASwapSucceeded() {
        assertFalse(forms(page("palyra.models")).contains("back"));
        swaps =
                "[{\"operation\":\"1\",\"bundle\":\"palyra.models\",\"outcome\":\"ROLLED_BACK\"},"
                        + "{\"operation\":\"2\",\"bundle\":\"other\",\"outcome\":\"SUCCEEDED\"}]";
        assertFalse(forms(page("palyra.models")).contains("back"));
        swaps = "[{\"operation\":\"1\",\"bundle\":\"palyra.models\",\"outcome\":\"SUCCEEDED\"}]";
        assertTrue(forms(page("palyra.models")).contains("back"));
    }

    @Test
    void takesBackTheSwapThatWasShownAndNoLaterOne() {
        swaps =
                "[{\"operation\":\"3\",\"bundle\":\"palyra.models\",\"outcome\":\"FAILED\"},"
                        + "{\"operation\":\"2\",\"bundle\":\"palyra.models\",\"outcome\":\"SUCCEEDED\"},"
                        + "{\"operation\":\"1\",\"bundle\":\"palyra.models\",\"outcome\":\"SUCCEEDED\"}]";
        Block.Form back =
                page("palyra.models").stream()
                        .filter(
                                block ->
                                        block instanceof Block.Form form
                                                && form.id().equals("back"))
                        .map(Block.Form.class::cast)
                        .findFirst()
                        .orElseThrow();
        assertTrue(asked.contains("swap status --json -- 2"), asked.toString());
        assertTrue(
                back.confirm().contains("version 1 of palyra.models in place of 2 (swap 2)"),
                back.confirm());
        assertEquals("2", back.fields().get(0).value());
        panel.submit(
                new PanelSubmission(
                        ANN,
                        permit("bundle.swap"),
                        "palyra.models",
                        "back",
                        Map.of("of", back.fields().get(0).value())));
        assertEquals("swap back --json --no-wait --of=2 -- palyra.models", asked.getLast());
    }
}
