package palyra.gateway.internal.engine;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelRequest;
import palyra.api.tape.TapeEvent;
import palyra.api.tool.ToolDescriptor;
import palyra.gateway.internal.fold.RunHistory;
import palyra.shared.hash.Digests;
import palyra.shared.json.Jcs;

/**
 * A turn about to be asked for: the record that announces it and the request itself.
 *
 * @param provider id of the model provider
 */
record TurnPlan(TapeEvent.TurnStarted started, ModelRequest request, String provider) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /**
     * Plans a turn from what the tape says in {@code history}, with what was said before the run
     * and the tools on offer.
     */
    static TurnPlan of(
            RunContext run,
            RunHistory history,
            int turn,
            int attempt,
            List<ToolDescriptor> catalogue,
            EngineSettings settings,
            long contextSeq) {
        int budget = Math.max(0, settings.maxCallsPerRun() - history.callsProposed());
        List<ToolDescriptor> tools =
                budget == 0
                        ? List.of()
                        : catalogue.stream()
                                .filter(tool -> run.agent().tools().contains(tool.name()))
                                .toList();
        ModelRequest request =
                new ModelRequest(
                        run.runId() + "/" + turn + "/" + attempt,
                        run.runId(),
                        run.agent().model(),
                        messages(run, history),
                        tools,
                        run.agent().test(),
                        System.currentTimeMillis() + settings.turnTimeoutMillis());
        String provider =
                run.agent().provider().isEmpty()
                        ? settings.defaultProvider()
                        : run.agent().provider();
        String prompt = run.agent().systemPrompt();
        return new TurnPlan(
                new TapeEvent.TurnStarted(
                        turn,
                        attempt,
                        run.agent().agentId(),
                        provider,
                        request.model(),
                        Digests.sha256Hex(Jcs.bytes(tree(request))),
                        Digests.sha256Hex(Jcs.bytes(tree(tools))),
                        prompt.isEmpty() ? "" : Digests.sha256Hex(prompt),
                        budget,
                        contextSeq),
                request,
                provider);
    }

    private static List<ModelMessage> messages(RunContext run, RunHistory history) {
        List<ModelMessage> all = new ArrayList<>();
        if (!run.agent().systemPrompt().isEmpty()) {
            all.add(new ModelMessage.System(run.agent().systemPrompt()));
        }
        all.addAll(run.earlier());
        all.addAll(history.conversation());
        return all;
    }

    /** The request as JSON, without what differs between attempts: id and deadline. */
    private static ObjectNode tree(ModelRequest request) {
        ObjectNode node = JSON.objectNode();
        node.put("model", request.model());
        ArrayNode messages = node.putArray("messages");
        for (ModelMessage message : request.messages()) {
            messages.add(tree(message));
        }
        node.set("tools", tree(request.tools()));
        return node;
    }

    private static ObjectNode tree(ModelMessage message) {
        ObjectNode node = JSON.objectNode().put("text", message.text());
        switch (message) {
            case ModelMessage.System ignored -> node.put("role", "system");
            case ModelMessage.User ignored -> node.put("role", "user");
            case ModelMessage.Assistant assistant -> {
                node.put("role", "assistant");
                ArrayNode calls = node.putArray("calls");
                assistant
                        .proposals()
                        .forEach(
                                p ->
                                        calls.addObject()
                                                .put("id", p.callId())
                                                .put("tool", p.toolName())
                                                .put("input", p.inputJson()));
            }
            case ModelMessage.ToolOutput output ->
                    node.put("role", "tool")
                            .put("id", output.callId())
                            .put("success", output.success());
        }
        return node;
    }

    private static ArrayNode tree(List<ToolDescriptor> tools) {
        ArrayNode nodes = JSON.arrayNode();
        for (ToolDescriptor tool : tools) {
            nodes.addObject()
                    .put("name", tool.name())
                    .put("description", tool.description())
                    .put("input_schema", tool.inputSchemaJson());
        }
        return nodes;
    }
}
