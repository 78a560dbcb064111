/**
 * The seam to engines that run WebAssembly. What reaches an engine was admitted first: validated,
 * clamped, metered; the engine compiles, links exactly the functions it is given and runs.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.0.0")
package palyra.api.core.wasm;
