package palyra.policy.internal.cedar.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import palyra.policy.internal.cedar.value.CedarFormatException;
import palyra.policy.internal.cedar.value.EntityUid;
import palyra.policy.internal.cedar.value.LongValue;

final class EntitiesTest {
    private static EntityUid uid(String id) {
        return EntityUid.of("T", id);
    }

    private static Entity entity(String id, String... parents) {
        return Entity.of(uid(id), Map.of(), Arrays.stream(parents).map(EntitiesTest::uid).toList());
    }

    private static Entities of(Entity... entities) {
        return Entities.of(List.of(entities));
    }

    private static String ancestors(Entities entities, String id) {
        return entities.find(uid(id)).ancestors().stream()
                .map(EntityUid::id)
                .sorted()
                .collect(Collectors.joining());
    }

    @Test
    void computesAllAncestors() {
        Entities entities = of(entity("a", "b"), entity("b", "c", "d"), entity("d", "e"));
        assertEquals("bcde", ancestors(entities, "a"));
        assertEquals("e", ancestors(entities, "d"));
        assertNull(entities.find(uid("e")));
    }

    @Test
    void refusesCirclesAndContradictions() {
        assertThrows(CedarFormatException.class, () -> of(entity("a", "a")));
        assertThrows(
                CedarFormatException.class,
                () -> of(entity("a", "b"), entity("b", "c"), entity("c", "a")));
        assertThrows(CedarFormatException.class, () -> of(entity("a"), entity("a", "b")));
        assertEquals("b", ancestors(of(entity("a", "b"), entity("a", "b")), "a"));
    }

    @Test
    void laysEntitiesOfARequestOverSharedOnes() {
        Entities base = of(entity("g", "h"), entity("h", "i"));
        Entities both = base.with(List.of(entity("a", "g")));
        assertEquals("ghi", ancestors(both, "a"));
        assertEquals("hi", ancestors(both, "g"));
        assertNull(base.find(uid("a")));
        assertEquals(3, both.all().size());
    }

    @Test
    void anEntityLaidOverTakesThePlaceOfTheOther() {
        Entities base = of(entity("a", "g"), entity("g"));
        Entity other = Entity.of(uid("a"), Map.of("n", new LongValue(1)), List.of(uid("x")));
        Entities both = base.with(List.of(other));
        assertEquals("x", ancestors(both, "a"));
        assertTrue(both.find(uid("a")).attributes().has("n"));
        assertEquals("g", ancestors(base, "a"));
    }

    /** What is laid over may give parents to an entity that others are already below. */
    @Test
    void ancestorsOfSharedEntitiesFollowWhatIsLaidOver() {
        Entities base = of(entity("a", "g"), entity("b", "a"));
        Entities both = base.with(List.of(entity("g", "top")));
        assertEquals("gtop", ancestors(both, "a"));
        assertEquals("agtop", ancestors(both, "b"));
        assertEquals("ag", ancestors(both.with(List.of(entity("g"))), "b"));
        assertThrows(CedarFormatException.class, () -> base.with(List.of(entity("g", "b"))));
    }

    @Test
    void layingOverIsTheSameAsBuildingAnew() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            List<Entity> base = someEntities(random);
            List<Entity> over = someEntities(random);
            Map<EntityUid, Entity> merged = new HashMap<>();
            base.forEach(e -> merged.put(e.uid(), e));
            over.forEach(e -> merged.put(e.uid(), e));
            assertEquals(
                    words(Entities.of(merged.values())),
                    words(Entities.of(base).with(over)),
                    "round " + round);
        }
    }

    private static List<Entity> someEntities(Random random) {
        List<Entity> entities = new ArrayList<>();
        for (int id = 0; id < 8; id++) {
            List<EntityUid> parents = new ArrayList<>();
            for (int above = id + 1; above < 9; above++) {
                if (random.nextInt(4) == 0) {
                    parents.add(uid("" + above));
                }
            }
            if (random.nextInt(3) > 0) {
                entities.add(Entity.of(uid("" + id), Map.of(), parents));
            }
        }
        return entities;
    }

    private static Set<String> words(Entities entities) {
        return entities.all().stream()
                .map(
                        e ->
                                e.uid()
                                        + " "
                                        + new TreeSet<>(
                                                e.ancestors().stream().map(EntityUid::id).toList()))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
