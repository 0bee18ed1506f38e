// One word has an initial value, the others have none.
// expect: SAFE b0 (first:
// expect: UNSAFE b1 (second:
module memory(input clk);
  reg [7:0] words [0:3];
  initial words[0] = 5;
  reg [1:0] at = 0;
  first: assert property (at != 0 || words[at] == 5);
  second: assert property (at != 1 || words[at] == 0);
  always @(posedge clk) begin
    at <= 1;
    words[3] <= 9;
  end
endmodule
