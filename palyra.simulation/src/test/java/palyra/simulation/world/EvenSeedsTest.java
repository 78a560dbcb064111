package palyra.simulation.world;

/** Every second seed. */
class EvenSeedsTest extends Seeds {
    EvenSeedsTest() {
        super(1);
    }
}
