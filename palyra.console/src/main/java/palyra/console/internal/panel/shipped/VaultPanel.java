package palyra.console.internal.panel.shipped;

import java.util.ArrayList;
import java.util.List;
import palyra.api.console.Block;
import palyra.api.console.PanelPage;
import palyra.api.console.PanelRequest;
import palyra.api.console.PanelResult;
import palyra.api.console.PanelSpec;
import palyra.api.console.PanelSubmission;
import palyra.console.internal.command.CommandWords;
import palyra.console.internal.command.Commands;

/** Secrets by name; values are never shown here. */
final class VaultPanel extends CommandPanel {
    VaultPanel(Commands commands) {
        super(
                new PanelSpec("vault", "Vault", PanelSpec.Section.CONTROL, 70, "vault.list"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("vault list")),
                        "The vault keeps no secret yet.",
                        "",
                        ""));
        blocks.add(
                sensitive(
                        "put",
                        "Keep a secret",
                        "vault.put",
                        "",
                        Block.Field.line("secret", "Name, as SCOPE/KEY"),
                        new Block.Field(
                                "value",
                                "Value",
                                Block.FieldKind.SECRET,
                                "",
                                List.of(),
                                "It is not shown again; an earlier value of that name is replaced.",
                                true)));
        blocks.add(
                sensitive(
                        "delete",
                        "Forget a secret",
                        "vault.delete",
                        "What refers to it fails from then on",
                        Block.Field.line("secret", "Name, as SCOPE/KEY")));
        blocks.add(
                sensitive(
                        "rotate",
                        "Rotate the master key",
                        "vault.rotate",
                        "Make a new master key and wrap every secret's key by it"));
        blocks.add(new Block.Heading("Status"));
        blocks.addAll(Documents.blocks(ask(request.principal(), CommandWords.of("vault status"))));
        return PanelPage.of(
                "Vault", "Names of secrets, their versions and who changed them.", blocks);
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        CommandWords words = CommandWords.of("vault " + given.form());
        if (given.form().equals("rotate")) {
            return change(given, "", "", words);
        }
        return change(given, given.field("value"), "", words.argument(given.field("secret")));
    }
}
