package palyra.skills.internal.artifact;

/** What an independent program computed for the entries of {@link ArtifactTest}. */
final class Vectors {
    static final String PAYLOAD =
            "6c026d5950a42df868fca0ce05f0aa6e6e0d37da33497b456fabd8377c36bbfc";
    static final String PUBLIC = "d04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737";
    static final String KEY_ID = "ed25519:10ba682c8ad13513";
    static final String SIGNATURE =
            "6086f90ebe7873498a45d712c1a586be5464f9185c9fa8f8d737b448a4d308fc"
                    + "76925852a4c984a3e0922f3cc7f0ac557c656d860feafd67416f95b9563e4d03";

    private Vectors() {}
}
