package palyra.channels.internal.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.Conversation;
import palyra.api.channel.MessageOrigin;
import palyra.api.core.access.Authorized;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.OutboxProgress;
import palyra.api.core.journal.OutboxRow;
import palyra.api.core.journal.Unit;
import palyra.api.core.sandbox.WorkspaceFiles;
import palyra.api.core.tools.ToolExamination;
import palyra.api.core.tools.ToolOrder;
import palyra.api.core.tools.ToolProposed;
import palyra.api.tool.Capability;
import palyra.api.tool.ToolDescriptor;
import palyra.api.tool.ToolInvocation;
import palyra.shared.access.CallQuestion;
import palyra.shared.channel.Outbound;
import palyra.shared.hash.Digests;
import palyra.shared.hash.Ulids;
import palyra.shared.json.JsonFields;
import palyra.shared.outcome.Commits;

/**
 * Sends a file of the workspace to the conversation in which the run was asked for. What is sent is
 * the content at the time of the call; a call that is repeated after a crash sends nothing more.
 */
final class SendFileTool extends ChannelFileTool {
    private static final String NAME = "palyra.channels.send_file";
    private static final String ACTION = "channel.send";
    private static final int MAX_TEXT = 4_000;
    private static final Ulids IDS = new Ulids();
    private static final ToolDescriptor DESCRIPTOR =
            new ToolDescriptor(
                    NAME,
                    "Sends a file of the workspace to the people of this conversation, with a text"
                            + " if you like. Use it for what does not fit into an answer: documents,"
                            + " images, archives. The file is sent as it is now, in its turn with"
                            + " your other messages; the answer says that it was queued, not that"
                            + " it arrived. What was sent cannot be taken back. Example:"
                            + " {\"path\":\"report.pdf\",\"text\":\"The report.\"}",
                    """
                    {"type":"object","required":["path"],\
                    "properties":{"path":{"type":"string","minLength":1,"maxLength":4095,\
                    "description":"File, relative to the workspace."},\
                    "text":{"type":"string","maxLength":4000,\
                    "description":"Text of the message, as Markdown."}}}""",
                    Set.of(Capability.FILESYSTEM_READ, Capability.NETWORK),
                    true,
                    false,
                    30_000,
                    32_768);

    private final ChannelFiles services;
    private final SessionFiles session;

    SendFileTool(ChannelFiles services) {
        super(DESCRIPTOR);
        this.services = services;
        this.session = new SessionFiles(services.journal());
    }

    @Override
    ToolExamination examine(ToolProposed proposed, JsonFields input) {
        String path = input.text("path", MAX_PATH);
        input.optionalText("text", MAX_TEXT);
        return described(
                services.files().examine(proposed.agentId(), path, false),
                "Sends the file '"
                        + FileTexts.shown(path)
                        + "' to the conversation of the run; everyone there can read it.");
    }

    @Override
    ObjectNode run(ToolOrder order, JsonFields input) throws IOException {
        ToolInvocation call = order.invocation();
        SessionFiles.Place place =
                session.placeOf(call.runId())
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.CONFLICT,
                                                "This run was not asked for in a conversation of a"
                                                        + " chat platform, so there is no one to"
                                                        + " send the file to."));
        services.require(place.surface(), Feature.FILES_OUT, "send files");
        WorkspaceFiles.Content content =
                services.files()
                        .read(
                                new WorkspaceFiles.Target(
                                        order.agentId(),
                                        input.text("path", MAX_PATH),
                                        order.factsSha256()),
                                services.maxFileBytes().getAsInt());
        String sha256 = Digests.sha256Hex(content.bytes());
        String name = FileTexts.safe(content.path());
        Outbound message =
                Outbound.ofFile(
                        input.optionalText("text", MAX_TEXT).orElse(""),
                        place.origin().conversation(),
                        new Outbound.File(name, mediaType(name), content.bytes().length, sha256));
        String id = put(order, place, message, content.bytes());
        return JsonNodeFactory.instance
                .objectNode()
                .put("outbox_id", id)
                .put("path", content.path())
                .put("bytes", content.bytes().length)
                .put("sha256", sha256);
    }

    private static String mediaType(String name) {
        return Optional.ofNullable(URLConnection.guessContentTypeFromName(name))
                .orElse("application/octet-stream");
    }

    private Authorized permit(ToolOrder order, String surface) {
        ToolInvocation call = order.invocation();
        CallQuestion asked =
                new CallQuestion(
                        call.principalId(),
                        order.groups(),
                        order.agentId(),
                        call.runId(),
                        call.callId(),
                        NAME);
        return services.access()
                .call(
                        front ->
                                front.authorize(
                                        asked.about(ACTION, "channel:" + surface, "", Map.of())));
    }

    /** The content is on the medium before the row; the same call has one row. */
    private String put(ToolOrder order, SessionFiles.Place place, Outbound message, byte[] content)
            throws IOException {
        Authorized permit = permit(order, place.surface());
        String callId = order.invocation().callId();
        String id = IDS.next();
        services.held().put(id, content);
        Unit unit =
                Unit.builder()
                        .once(
                                new IdempotencyKey(
                                        NAME,
                                        callId,
                                        Digests.sha256Hex(order.invocation().inputJson())),
                                id.getBytes(StandardCharsets.UTF_8))
                        .add(permit.record())
                        .add(new Operation.PutOutbox(row(id, order, place, message)))
                        .build();
        String put =
                new String(
                        Commits.commit(services.journal(), unit).result(), StandardCharsets.UTF_8);
        if (!put.equals(id)) {
            services.held().remove(id); // an earlier attempt of the call put it
        }
        return put;
    }

    private static OutboxRow row(
            String id, ToolOrder order, SessionFiles.Place place, Outbound message) {
        Conversation where = place.origin().conversation();
        return new OutboxRow(
                id,
                order.invocation().runId(),
                place.surface(),
                MessageOrigin.orderKey(where),
                message.bytes(),
                OutboxRow.State.PENDING,
                OutboxProgress.NONE,
                0,
                0);
    }
}
