package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.console.Block;
import palyra.api.console.Level;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.api.console.Value;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;
import palyra.console.internal.upload.UploadPages;
import palyra.console.internal.upload.Uploads;

/** Bundles of the framework, and their replacement. */
final class BundlesPanel extends CommandPanel {
    private static final String HOME = "/console/panel/bundles/";
    private static final String SWAP = "bundle.swap";
    private static final String EMPTY_SWAPS =
            "No bundle was swapped since the start. Its page takes a jar; palyra swap BUNDLE JAR"
                    + " does the same. Each replaces a bundle while everything runs, and undoes it"
                    + " when it fails.";

    private final Uploads uploads;

    BundlesPanel(Commands commands, Uploads uploads) {
        super(
                new PanelSpec("bundles", "Bundles", PanelSpec.Section.SYSTEM, 40, "bundle.list"),
                commands);
        this.uploads = uploads;
    }

    @Override
    public PanelPage show(PanelRequest request) {
        if (request.path().isEmpty()) {
            return list(request);
        }
        SentJar sent = SentJar.of(request.path());
        return sent.id().isEmpty() ? bundle(request) : jar(request, sent);
    }

    private PanelPage list(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.table(
                        ask(request.principal(), CommandWords.of("bundles")),
                        "No bundle is installed.",
                        Documents.link("Bundle", "bundle", HOME),
                        Documents.state("State", "state"),
                        Documents.code("Version", "version"),
                        Documents.time("Installed", "installed")));
        blocks.add(new Block.Heading("Swaps"));
        blocks.add(swaps(ask(request.principal(), CommandWords.of("swap status"))));
        return new PanelPage(
                "Bundles",
                "The parts of the gateway; each is replaced while runs go on.",
                blocks,
                List.of(TIME));
    }

    private static Block swaps(JsonNode swaps) {
        return Documents.table(
                swaps,
                EMPTY_SWAPS,
                Documents.link("Bundle", "bundle", HOME),
                Documents.state("Outcome", "outcome"),
                Documents.time("Started", "started"),
                Documents.text("Message", "message"),
                Documents.code("Operation", "operation"));
    }

    private PanelPage bundle(PanelRequest request) {
        String name = request.path();
        List<Block> blocks = new ArrayList<>();
        blocks.addAll(orNotice(() -> List.of(wiring(request, "capability", "Offers"))));
        blocks.addAll(orNotice(() -> List.of(wiring(request, "requirement", "Needs"))));
        blocks.add(new Block.Heading("Swap"));
        blocks.add(
                new Block.Facts(
                        List.of(
                                new Block.Fact(
                                        "By a jar of yours",
                                        new Value.Link(
                                                "Send a jar",
                                                UploadPages.PREFIX
                                                        + "/"
                                                        + Documents.segment(name))))));
        blocks.addAll(orNotice(() -> swapsOf(request.principal(), name)));
        blocks.add(new Block.Heading("Life cycle"));
        blocks.add(
                sensitive(
                        "update",
                        "Update from where it was installed",
                        "bundle.update",
                        "Replace the running bundle by the jar that is there now"));
        blocks.add(
                sensitive("stop", "Stop", "bundle.stop", "What it offers is gone until it starts"));
        blocks.add(sensitive("start", "Start", "bundle.start", ""));
        return new PanelPage("Bundle " + name, "", blocks, List.of(TIME));
    }

    /** What a bundle offers and who uses it, or what it needs and where that comes from. */
    private Block wiring(PanelRequest request, String side, String title) {
        JsonNode said =
                ask(
                        request.principal(),
                        CommandWords.of("bundle inspect")
                                .argument(side)
                                .argument("*")
                                .argument(request.path()));
        return new Block.Details(
                title, List.of(new Block.Preformatted("", said.path("output").asText())));
    }

    /** The swaps of a bundle, and the way back from the last that succeeded. */
    private List<Block> swapsOf(Principal reader, String name) {
        List<JsonNode> own = new ArrayList<>();
        String last = "";
        for (JsonNode swap : ask(reader, CommandWords.of("swap status"))) {
            if (swap.path("bundle").asText().equals(name)) {
                own.add(swap);
                boolean succeeded = swap.path("outcome").asText().equals("SUCCEEDED");
                last = last.isEmpty() && succeeded ? swap.path("operation").asText() : last;
            }
        }
        List<Block> blocks = new ArrayList<>();
        if (!last.isEmpty()) {
            blocks.add(back(reader, name, last));
        }
        if (!own.isEmpty()) {
            blocks.add(swaps(Documents.array(own)));
        }
        return blocks;
    }

    /** The form names the swap that is shown: one that comes later is not taken back by it. */
    private Block.Form back(Principal reader, String name, String operation) {
        JsonNode swap = ask(reader, CommandWords.of("swap status").argument(operation));
        return sensitive(
                "back",
                "Roll back",
                SWAP,
                "Put back version "
                        + swap.path("fromVersion").asText()
                        + " of "
                        + name
                        + " in place of "
                        + swap.path("toVersion").asText()
                        + " (swap "
                        + operation
                        + "), while everything runs",
                Block.Field.hidden("of", operation));
    }

    /** What a jar is, whether it is trusted, and what would restart. */
    private PanelPage jar(PanelRequest request, SentJar sent) {
        byte[] bytes = uploads.bytes(request.principal().id(), sent.bundle(), sent.id());
        List<Block> blocks = new ArrayList<>();
        try {
            JsonNode facts = check(request.principal(), bytes);
            blocks.addAll(sent.trust(facts));
            JsonNode plan = plan(request.principal(), sent, facts, bytes);
            blocks.addAll(sent.plan(plan));
            blocks.add(sent.form(facts, plan));
        } catch (PalyraException e) {
            blocks.add(
                    new Block.Notice(
                            Level.BAD, e.getMessage(), "Nothing was changed. Send another jar."));
        }
        blocks.add(button("forget", "Forget the jar", SWAP, ""));
        return PanelPage.of(
                "Swap " + sent.bundle(), "What the jar is, and what would happen.", blocks);
    }

    private JsonNode check(Principal reader, byte[] jar) {
        return ask(reader, jar, CommandWords.of("deploy check").argument("-"));
    }

    private JsonNode plan(Principal reader, SentJar sent, JsonNode facts, byte[] jar) {
        return ask(reader, jar, swap(sent, facts).flag("dry-run"));
    }

    private static CommandWords swap(SentJar sent, JsonNode facts) {
        return CommandWords.of("swap")
                .option("sha256", facts.path("sha256").asText())
                .argument(sent.bundle())
                .argument("-");
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        SentJar sent = SentJar.of(given.path());
        return switch (given.form()) {
            case "forget" -> {
                uploads.forgetAll(given.principal().id());
                yield PanelResult.done("The jar is forgotten.", sent.bundle());
            }
            case "pin", "swap" -> act(given, sent);
            case "back" -> {
                change(
                        given,
                        "",
                        given.path(),
                        CommandWords.of("swap back")
                                .flag("no-wait")
                                .setting("of", given.field("of"))
                                .argument(given.path()));
                yield begun(given.path());
            }
            default ->
                    change(
                            given,
                            "",
                            given.path(),
                            CommandWords.of("bundle " + given.form()).argument(given.path()));
        };
    }

    private PanelResult act(PanelSubmission given, SentJar sent) {
        byte[] bytes = uploads.bytes(given.principal().id(), sent.bundle(), sent.id());
        JsonNode facts = check(given.principal(), bytes);
        if (given.form().equals("pin")) {
            return change(
                    given,
                    "",
                    given.path(),
                    CommandWords.of("deploy pin")
                            .option("note", "to swap " + sent.bundle())
                            .argument("sha256:" + facts.path("sha256").asText()));
        }
        sent.requireTrusted(facts);
        change(given, bytes, sent.bundle(), swap(sent, facts).flag("no-wait"));
        uploads.forgetAll(given.principal().id());
        return begun(sent.bundle());
    }

    /** A swap may take longer than a page; its outcome is in the list. */
    private static PanelResult begun(String bundle) {
        return new PanelResult(
                Level.NOTICE,
                "The swap has begun; its outcome is below as soon as it is over.",
                bundle);
    }
}
