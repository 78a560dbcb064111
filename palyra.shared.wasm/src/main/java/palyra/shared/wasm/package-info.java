/**
 * Admission of WebAssembly modules, for every engine alike: decoder, validator, limits, imports and
 * exports, clamps, fuel and call depth. Sources: WebAssembly Core Specification 2.0, chapters 3 and
 * 5 and its appendix "Validation Algorithm".
 */
package palyra.shared.wasm;
