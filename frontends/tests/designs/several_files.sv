// files: five/types.sv five/stage.sv five/checks.sv
// options: --top top -I five -D DEPTH=3
// expect: SAFE b0 (c.legal:
// expect: UNSAFE b1 (c.short:
`include "limits.svh"
module top(input clk, input go);
  wire [2*`DEPTH-1:0] states;
  genvar i;
  generate for (i = 0; i < `DEPTH; i = i + 1) begin : stages
    wire before;
    if (i == 0) assign before = go; else assign before = states[2*i-2 +: 2] == types::BUSY;
    stage s(.clk(clk), .go(before), .state(states[2*i +: 2]));
  end endgenerate
  checks c(.last(states[2*`DEPTH-1 -: 2]));
endmodule
