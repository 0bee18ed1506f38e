// expect: SAFE b0 (cell[0].u.low:
// expect: UNSAFE b1 (cell[1].u.low:
module top(input clk);
  genvar i;
  generate for (i = 0; i < 2; i = i + 1) begin : \cell
    part #(.STEP(i)) u(.clk(clk));
  end endgenerate
endmodule
module part #(parameter STEP = 0)(input clk);
  reg [3:0] x = 0;
  always @(posedge clk) x <= x + STEP;
  low: assert property (x < 5);
endmodule
