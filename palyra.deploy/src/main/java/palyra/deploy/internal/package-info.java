/**
 * The drop-in folder: bundles that an operator moves into it become live, if their digest or their
 * signer is pinned. One thread polls the folder and changes bundles; it publishes its state as an
 * immutable view.
 */
package palyra.deploy.internal;
