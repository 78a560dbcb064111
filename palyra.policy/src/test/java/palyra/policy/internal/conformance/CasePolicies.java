package palyra.policy.internal.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import palyra.lib.cedar.Cedar;
import palyra.lib.cedar.CedarDecision;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.Diagnostic;
import palyra.lib.cedar.PolicySetLimits;
import palyra.lib.cedar.PreparedPolicySet;
import palyra.policy.internal.cedar.Decision;
import palyra.policy.internal.cedar.Evaluator;
import palyra.policy.internal.cedar.PolicySetCompiler;
import palyra.policy.internal.cedar.Request;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.json.Schema;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;

/** The policies of a test in both engines, ready to be asked. Closing frees the native ones. */
final class CasePolicies implements AutoCloseable {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Evaluator compiled;
    private final PreparedPolicySet prepared;
    private final Map<String, String> names = new HashMap<>();
    private final EntitiesReader reader;
    private final Entities entities;
    private final ArrayNode nativeEntities;
    private final boolean validated;
    private final String verdict;

    /**
     * Compiles a test.
     *
     * @throws CorpusException when its policies, schema or entities are refused
     */
    CasePolicies(Cedar cedar, CaseFile test) {
        CedarFile policies = CedarFile.of("policies", test.policies());
        CedarFile schemaText = CedarFile.of("schema", test.schema());
        Schema schema = schema(cedar.schemaToJson(schemaText));
        CompileRequest parse = CompileRequest.of(List.of(policies));
        Compilation strict = cedar.compile(parse.withSchema(schemaText));
        Compilation usable = strict.ok() ? strict : cedar.compile(parse);
        if (!usable.ok()) {
            throw refused("policies", usable.diagnostics());
        }
        this.validated = strict.ok();
        this.verdict = strict.ok() ? "" : first(strict.diagnostics());
        this.compiled =
                new Evaluator(
                        new PolicySetCompiler(PolicySetLimits.STANDARD).compile(usable.json()));
        usable.policies().forEach(policy -> names.put(policy.id(), "policy" + names.size()));
        this.reader = EntitiesReader.by(schema);
        List<Entity> listed = reader.read(test.entities());
        this.entities = withActions(listed, schema);
        this.nativeEntities = nativeEntities(test.entities(), listed, schema);
        this.prepared = cedar.prepare(usable);
    }

    private static Schema schema(Converted json) {
        if (!json.ok()) {
            throw refused("schema", json.diagnostics());
        }
        return Schema.parse(json.text());
    }

    private static CorpusException refused(String what, List<Diagnostic> why) {
        return new CorpusException("its " + what + " are refused: " + first(why));
    }

    private static String first(List<Diagnostic> diagnostics) {
        Diagnostic first = diagnostics.get(0);
        return "line " + first.line() + ", column " + first.column() + ", " + first.message();
    }

    /** Returns listed entities, and the actions of the schema with their groups. */
    static Entities withActions(List<Entity> listed, Schema schema) {
        List<Entity> all = new ArrayList<>(listed);
        all.addAll(missingActions(listed, schema));
        return Entities.of(all);
    }

    private static List<Entity> missingActions(Collection<Entity> listed, Schema schema) {
        Set<EntityUid> there = new HashSet<>();
        listed.forEach(entity -> there.add(entity.uid()));
        return schema.actionEntities().stream().filter(a -> !there.contains(a.uid())).toList();
    }

    /** Where policies do not fit the schema, the native engine is not told of it. */
    private ArrayNode nativeEntities(JsonNode listed, List<Entity> read, Schema schema) {
        ArrayNode all = JSON.arrayNode();
        listed.forEach(all::add);
        if (!validated) {
            for (Entity action : missingActions(read, schema)) {
                ObjectNode entity = all.addObject();
                entity.set("uid", json(action.uid()));
                entity.putObject("attrs");
                ArrayNode parents = entity.putArray("parents");
                action.parents().forEach(parent -> parents.add(json(parent)));
            }
        }
        return all;
    }

    private static ObjectNode json(EntityUid uid) {
        return JSON.objectNode().put("type", uid.type()).put("id", uid.id());
    }

    /** Returns whether the policies fit the schema. */
    boolean validated() {
        return validated;
    }

    /** Returns why they do not; empty when they do. */
    String verdict() {
        return verdict;
    }

    Answer compiled(CaseFile.Ask ask) {
        try {
            Decision decision =
                    compiled.decide(
                            new Request(
                                    ask.principal(),
                                    ask.action(),
                                    ask.resource(),
                                    reader.context(ask.action(), ask.context()),
                                    entities));
            return decision.failure().isEmpty()
                    ? Answer.of(
                            decision.allowed(),
                            decision.determining().stream().map(p -> names.get(p.id())).toList(),
                            decision.errors().stream()
                                    .map(e -> names.get(e.policy().id()))
                                    .toList())
                    : Answer.none(decision.failure());
        } catch (CedarFormatException e) {
            return Answer.none(e.getMessage());
        }
    }

    Answer natively(CaseFile.Ask ask) {
        ObjectNode request = JSON.objectNode();
        request.set("principal", json(ask.principal()));
        request.set("action", json(ask.action()));
        request.set("resource", json(ask.resource()));
        request.set("context", ask.context());
        request.set("entities", nativeEntities);
        request.put("validateRequest", ask.validate() && validated);
        try {
            CedarDecision decision = prepared.decide(request.toString());
            return Answer.of(
                    decision.allowed(),
                    decision.determining().stream().map(names::get).toList(),
                    decision.errors().stream().map(e -> names.get(e.policyId())).toList());
        } catch (CedarException e) {
            return Answer.none(e.getMessage());
        }
    }

    @Override
    public void close() {
        prepared.close();
    }
}
