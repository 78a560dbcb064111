package palyra.simulation.world;

/** The seeds between. */
class OddSeedsTest extends Seeds {
    OddSeedsTest() {
        super(0);
    }
}
