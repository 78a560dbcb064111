package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.json.EntitiesReader;

/** The index finds what a look at every policy finds. */
final class IndexTest {
    private static final int SETS = 150;

    @Test
    void findsWhatLookingAtEveryPolicyFinds() throws Exception {
        for (long seed = 10_000; seed < 10_000 + SETS; seed++) {
            Generator generator = new Generator(seed);
            Generator.PolicyText text = generator.policies();
            String est = Oracle.run(() -> Oracle.estHere(text.statics(), text.templates()));
            Evaluator evaluator =
                    new Evaluator(
                            new PolicySetCompiler(PolicySetLimits.STANDARD)
                                    .compile(generator.linked(est)));
            compare("seed " + seed, evaluator, generator.world());
        }
    }

    private static void compare(String name, Evaluator evaluator, JsonNode world) {
        EntitiesReader reader = EntitiesReader.withoutSchema();
        Entities entities = Entities.of(reader.read(world.get("entities")));
        for (JsonNode node : world.get("requests")) {
            Request request = Replay.request(node, reader, entities);
            assertEquals(
                    evaluator.explain(request).decision().toString(),
                    evaluator.decide(request).toString(),
                    name);
        }
    }
}
