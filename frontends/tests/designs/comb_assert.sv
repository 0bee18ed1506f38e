// Statements see the values of variables at their place in a process.
// expect: SAFE b0 (a:
// expect: UNSAFE b1 (b:
module top(input [3:0] d);
  reg [3:0] t;
  always @* begin t = d; if (t[0]) begin t = t + 1; a: assert (!t[0]); end b: assert (t != 4); end
endmodule
