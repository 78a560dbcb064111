/**
 * The drop-in folder: bundles that an operator moves into it become live, if their digest or their
 * signer is pinned. One thread looks and changes bundles; what it finds is published as an
 * immutable view.
 */
package palyra.deploy.internal;
