package palyra.console.internal.panel.shipped;

import com.fasterxml.jackson.databind.JsonNode;
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

/** API tokens, linked accounts of platforms, and signing keys. */
final class AccessPanel extends CommandPanel {
    AccessPanel(Commands commands) {
        super(
                new PanelSpec(
                        "access", "Access", PanelSpec.Section.CONTROL, 80, "access.token.list"),
                commands);
    }

    @Override
    public PanelPage show(PanelRequest request) {
        List<Block> blocks = new ArrayList<>();
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("access tokens")),
                        "There is no API token.",
                        "",
                        ""));
        blocks.add(
                sensitive(
                        "create",
                        "Create a token",
                        "access.token.create",
                        "",
                        Block.Field.line("label", "What people call it"),
                        optional("principal", "Whom it speaks for", "Empty for you."),
                        choice(
                                "group",
                                "Group",
                                List.of("viewer", "integrator", "approver", "operator")),
                        optional(
                                "scope",
                                "Limited to the action",
                                "Such as run.*; empty for all of its group."),
                        optional(
                                "ttl",
                                "How long it is valid",
                                "Such as 12h or 30d; empty until revoked.")));
        blocks.add(
                button(
                        "revoke",
                        "Revoke a token",
                        "access.token.revoke",
                        "",
                        Block.Field.line("token", "Id of the token")));
        blocks.add(new Block.Heading("Accounts of platforms"));
        blocks.addAll(
                orNotice(
                        () ->
                                List.of(
                                        Documents.list(
                                                ask(
                                                        request.principal(),
                                                        CommandWords.of("identity list")),
                                                "No account of a platform is linked to a"
                                                        + " principal.",
                                                "",
                                                ""))));
        blocks.add(new Block.Heading("Signing keys"));
        blocks.add(
                Documents.list(
                        ask(request.principal(), CommandWords.of("access keys")), "None.", "", ""));
        return PanelPage.of("Access", "Who may speak to this gateway, and its own keys.", blocks);
    }

    @Override
    public PanelResult submit(PanelSubmission given) {
        if (given.form().equals("revoke")) {
            return change(
                    given,
                    "",
                    "",
                    CommandWords.of("access token-revoke").argument(given.field("token")));
        }
        CommandWords words =
                CommandWords.of("access token-create")
                        .option("principal", given.field("principal"))
                        .option("group", given.field("group"))
                        .option("scope", given.field("scope"))
                        .option("ttl", given.field("ttl"))
                        .argument(given.field("label"));
        JsonNode made = ask(given.principal(), words);
        return PanelResult.done(
                "The token is shown this once; keep it now: "
                        + Documents.plain(made.path("secret")),
                "");
    }
}
