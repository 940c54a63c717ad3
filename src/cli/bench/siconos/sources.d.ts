/** The C++ sources become part of the bundle, so that the installed program needs no file beside it. */
declare module '*.cpp?raw' {
  const text: string;
  export default text;
}
declare module '*.hpp?raw' {
  const text: string;
  export default text;
}
